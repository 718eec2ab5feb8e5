# entry: f
# args: 0.0
# args: 4.0
# order: 2
# by-hand
# closed: [1 / sqrt(x) if x > 0 else 3.0]
# closed second: -0.5 * x ** -1.5 if x > 0 else 0.0
# note: sqrt is computed before the test and read in one arm only; at 0 its derivative is infinite

import math


def f(x):
    t = math.sqrt(x)
    if x > 0.0:
        return 2.0 * t
    return 3.0 * x
