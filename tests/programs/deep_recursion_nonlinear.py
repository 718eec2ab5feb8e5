# entry: f
# args: 0.3, 3000

import math


def f(x, n):
    if n == 0:
        return x
    return math.sin(x + 0.5 * f(x, n - 1))
