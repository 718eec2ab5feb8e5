# entry: f
# args: 1.0
# args: 0.0
# args: -1.0
# by-hand
# note: division by a float zero is inf or nan, and comparisons with nan are false

import math


def f(x):
    a = x / 0.0
    b = math.sqrt(-1.0)
    return a, a > 1e308, a == math.inf, b, b == b, b < 0.0, -math.inf < x, math.isnan(b), math.isinf(a)
