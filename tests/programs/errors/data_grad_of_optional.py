# command: grad
# entry: f
# args: 2.0
# exit: 2
# message: none
# line: 8
# note: the gradient of a function that may return None
def f(x):
    if x > 1.0:
        return None
    return x * x
