# entry: f
# args: 3.0, 2.0
# closed: [1 / y, -x / y**2 - 1 / y**2]
# note: partial application by currying, differentiated with respect to the argument that is left

from gradus import grad
import math


def partial(g, a):
    return lambda b: g(a, b)


def scaled_log(a, b):
    return a * math.log(b)


def f(x, y):
    return grad(partial(scaled_log, x))(y) + 1.0 / y
