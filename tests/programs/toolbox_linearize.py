# entry: f
# args: 1.2, 0.4
# note: one linear map for several tangents

import math
from gradus import linearize


def g(x, y):
    return x * math.sin(y), x * x * y


def f(x, y):
    value, tangent = linearize(g, x, y)
    a, b = tangent(1.0, 0.0)
    c, d = tangent(None, x)
    return value[0] * a + b * c + d
