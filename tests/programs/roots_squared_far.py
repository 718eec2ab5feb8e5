# entry: f
# args: 1e200
# note: the square of a multiple of a root has no larger or smaller parts than that has

import math


def f(x):
    s = x * 0.25
    return (abs(x) / s) ** 2 * x + (math.hypot(x, 2.0 * x) / s) ** 2 * x
