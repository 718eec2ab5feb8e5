# entry: f
# args: 0.5, 4
# note: each closure of the chain captures another number

import math


def f(x, n):
    h = lambda y: y
    scale = x
    for _ in range(n):
        scale = scale * 1.5
        h = wrap(h, scale)
    return h(x)


def wrap(h, scale):
    return lambda y: math.sin(scale * h(y))
