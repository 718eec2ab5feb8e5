# entry: f
# args: 2.0
# exit: 2
# message: write `not x`, or `~int(x)`
# line: 8
# note: an int in Python, the negation of a bool of NumPy's
def f(x):
    return x if ~(x > 1.0) else -x
