# Functions that make functions: sin after cos, ten times over, put together by a higher-order `compose`.
# How deep is known when it runs only, so the composition is a chain of closures in memory.
#
#   $ gradus grad examples/compose.py sincos 0.5 10
#   value     0.6947474878191995
#   gradient  (0.0003088239781755646, None)

import math


def compose(f, g):
    return lambda x: f(g(x))


def sincos(x, n):
    h = lambda y: y
    for _ in range(n):
        h = compose(math.sin, compose(math.cos, h))
    return h(x)
