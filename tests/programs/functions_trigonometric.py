# entry: f
# args: 0.7
# args: -2.5
# order: 2

import math


def f(x):
    return math.sin(x) + 2.0 * math.cos(x) + 3.0 * math.tan(x) + math.sin(x) * math.cos(2.0 * x)
