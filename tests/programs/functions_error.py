# entry: f
# args: 0.4
# args: -1.2
# order: 2
# closed: [2 / sqrt(pi) * exp(-x*x) * (1 - 2.0)]

import math


def f(x):
    return math.erf(x) + 2.0 * math.erfc(x)
