# entry: f
# args: 2.0, 3.0, 4.0
# args: 1e16, 1.0000000000000002, -1e16
# closed: [y, x, 1.0]

import math


def f(x, y, z):
    return math.fma(x, y, z)
