# entry: f
# args: 0.5, 10
# note: the depth of the composition is known at run time only: a chain of closures

import math


def compose(f, g):
    return lambda x: f(g(x))


def sincos(x):
    return math.sin(math.cos(x))


def f(x, n):
    h = lambda x: x
    for _ in range(n):
        h = compose(sincos, h)
    return h(x)
