# entry: f
# args: 2.0
# exit: 2
# message: int
# line: 10, 11, 15

from gradus import grad


def g(x):
    return int(x)


def f(x):
    return grad(g)(x)
