# entry: f
# args: 2.0
# exit: 2
# message: speed
# line: 10, 15

from gradus import grad


def g(a, b):
    return a * b


def f(x):
    return grad(g, "speed")(x, x)
