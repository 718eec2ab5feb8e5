# entry: f
# args: 2.0, 3
# exit: 1
# message: index out of range
# line: 10


def f(x, n):
    t = (x, x * x, 1.0)
    return t[n]
