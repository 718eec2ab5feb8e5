# entry: f
# args: 0.7, 2.0
# args: 3.0, -1.5

import math


def f(x, y):
    return math.sqrt(x) + math.cbrt(x) * y + math.hypot(x, y) + x ** math.fabs(y) + math.pow(x, y)
