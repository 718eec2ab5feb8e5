# entry: f
# args: 0.5, 20000
# note: a contraction: the gradient goes to that of the fixed point

import math


def f(x, n):
    y = 1.0
    i = 0
    while i < n:
        y = math.cos(y * x) * 0.5 + x
        i += 1
    return y
