# entry: f
# args: 2.0
# exit: 2
# message: value
# line: 13


def g(x):
    return x * x


def f(x):
    g(x)
    return x
