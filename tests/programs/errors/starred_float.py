# entry: f
# args: 2.0
# exit: 2
# message: a float cannot be iterated
# line: 13


def g(*t):
    return t[0]


def f(x):
    return g(*x)
