# entry: f
# args: 0.3, 2.0
# args: -0.8, -0.5

import math


def f(x, y):
    return math.asin(x) + y * math.acos(x) + math.atan(x * y) + math.atan2(y, x)
