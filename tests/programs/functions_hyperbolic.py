# entry: f
# args: 0.4
# args: -1.5
# order: 2

import math


def f(x):
    return math.sinh(x) + 2.0 * math.cosh(x) + 3.0 * math.tanh(x) + math.cosh(0.5 * x) * math.tanh(x)
