# entry: f
# args: -8.0
# args: 27.0
# order: 2

import math


def f(x):
    return math.cbrt(x) * x
