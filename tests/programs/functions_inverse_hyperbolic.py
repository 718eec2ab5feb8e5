# entry: f
# args: 0.4
# args: -0.7
# order: 2

import math


def f(x):
    return math.asinh(x) + 2.0 * math.acosh(x + 2.0) + 3.0 * math.atanh(x)
