# entry: f
# args: 0.5
# note: the amazing bug of forward mode: an operator that returns a function of functions

import math
from gradus import grad


def shift(h, u):
    return lambda x: h(x + u)


def f(u):
    g = shift(math.sin, u)
    return grad(lambda v: grad(shift(g, v))(1.0))(u)
