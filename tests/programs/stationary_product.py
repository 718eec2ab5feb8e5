# entry: f
# args: 0.0
# args: 1.5
# order: 2
# closed: [2 * x * cos(x * x) + 4 * x**3]
# closed second: 2 * cos(x * x) - 4 * x * x * sin(x * x) + 12 * x * x
# note: the cotangent that meets the product is numerically zero, and depends on x

import math


def f(x):
    u = x * x
    if x > -1.0:
        r = math.sin(u) + u * u
    else:
        r = u
    return r
