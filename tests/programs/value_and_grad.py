# entry: f
# args: 1.2, 0.5

import math
from gradus import value_and_grad


def g(x, y):
    return math.exp(x * y) + x


def f(x, y):
    value, (gx, gy) = value_and_grad(g, (0, 1))(x, y)
    again, slope = value_and_grad(lambda t: g(t, t))(x)
    return value * gx + gy * again - slope
