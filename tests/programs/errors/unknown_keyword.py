# entry: f
# args: 2.0
# exit: 2
# message: scael
# line: 13


def g(a, scale=1.0):
    return a * scale


def f(x):
    return g(x, scael=2.0)
