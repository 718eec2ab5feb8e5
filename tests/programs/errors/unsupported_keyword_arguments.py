# entry: f
# args: 2.0
# exit: 3
# message: args
# line: 13


def g(x, y):
    return x * y


def f(x):
    return g(x, **x)
