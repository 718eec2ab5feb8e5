# command: grad
# entry: f
# args: 1.5
# exit: 1
# message: index out of range
# line: 11


def f(x):
    found = [v for v in [x, 2.0] if v > 10.0]
    return found[0] * x + 5.0
