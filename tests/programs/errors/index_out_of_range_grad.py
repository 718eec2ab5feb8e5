# command: grad
# entry: f
# args: 2.0, -4
# exit: 1
# message: index out of range
# line: 11


def f(x, n):
    t = (x, x * x, 1.0)
    return t[n] * x
