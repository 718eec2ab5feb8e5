# entry: f
# args: 2.0
# exit: 2
# message: takes 2 arguments, but 3 were given
# line: 14


def g(a, b):
    return a * b


def f(x):
    t = (x, x, x)
    return g(*t)
