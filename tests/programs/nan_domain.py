# entry: f
# args: 2.0
# by-hand
# note: outside of their domains functions give nan, where CPython's raise

import math


def f(x):
    return math.log(-x), math.log(0.0), (-x) ** 0.5, math.asin(x), math.acosh(-x), math.exp(1000.0 * x), math.fmod(x, 0.0)
