# entry: f
# args: 0.8
# order: 2
# note: a pullback inside of an outer derivative, of order three in all

import math
from gradus import vjp


def g(x):
    return math.sin(x * x)


def f(x):
    y, pullback = vjp(g, x)
    return pullback(x)[0] + y
