# entry: f
# args: 0.0, 1.0
# args: 4.0, 1.0
# by-hand
# closed: [(y / (2 * sqrt(x)) if x > 1.0 else y * y), (sqrt(x) if x > 1.0 else 2 * x * y)]
# note: what only one arm reads passes through a join, where the other arm's cotangent is a zero

import math


def f(x, y):
    t = math.sqrt(x) * y
    u = x * y
    if x > 1.0:
        r = t
    else:
        r = u * y
    return r
