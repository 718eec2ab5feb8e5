# entry: f
# args: 1.0
# args: 0.5
# order: 2
# note: the loop is left by break in the iteration whose exp is inf

import math


def f(x):
    y = x
    for _ in range(100):
        z = math.exp(y)
        if z > 1e10:
            break
        y = z
    return y
