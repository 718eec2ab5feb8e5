# entry: f
# args: 0.5
# args: 2.0
# order: 2
# note: sin after cos, ten deep

import math


def compose(f, g):
    return lambda x: f(g(x))


def f(x):
    h = compose(math.sin, math.cos)
    h = compose(compose(compose(h, h), compose(h, h)), h)
    h = compose(h, h)
    return h(x)
