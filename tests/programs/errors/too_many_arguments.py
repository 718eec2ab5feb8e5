# entry: f
# args: 2.0
# exit: 2
# message: argument
# line: 13


def g(a, b):
    return a * b


def f(x):
    return g(x, 1.0, 2.0)
