# entry: f
# args: 2.0
# exit: 2
# message: tuple
# line: 10, 11, 15

from gradus import grad


def g(x):
    return x, x


def f(x):
    return grad(g)(x)
