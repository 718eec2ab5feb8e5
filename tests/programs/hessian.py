# entry: f
# args: 1.5, 0.5
# note: all second derivatives of a function of two arguments, by nested grad

import math
from gradus import grad


def g(x, y):
    return math.sin(x * y) + x * x * x * y


def f(x, y):
    xx = grad(grad(g, 0), 0)(x, y)
    xy = grad(grad(g, 0), 1)(x, y)
    yx = grad(grad(g, 1), 0)(x, y)
    yy = grad(grad(g, 1), 1)(x, y)
    return xx * yy - xy * yx
