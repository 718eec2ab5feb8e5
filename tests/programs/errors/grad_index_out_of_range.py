# entry: f
# args: 2.0
# exit: 2
# message: argument
# line: 10, 15

from gradus import grad


def g(a, b):
    return a * b


def f(x):
    return grad(g, 2)(x, x)
