# entry: f
# args: 2.0
# exit: 2
# message: nested
# line: 10, 12, 16
# note: the tuple grows with each call, so that the function has no end of instances


def g(nested, n):
    if n == 0:
        return 1.0
    return g((nested, 1.0), n - 1)


def f(x):
    return g(x, 5)
