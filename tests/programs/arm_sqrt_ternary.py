# entry: f
# args: 0.0
# args: 2.25
# order: 2
# by-hand
# closed: [(0.5 / sqrt(x) if x > 0 else 0.0) + 2 * x]
# closed second: (-0.25 * x ** -1.5 if x > 0 else 0.0) + 2.0

import math


def f(x):
    t = math.sqrt(x)
    y = t if x > 0.0 else 0.0
    return y + x * x
