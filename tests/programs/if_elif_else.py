# entry: f
# args: -1.0
# args: 0.5
# args: 2.0
# args: 7.0
# note: piecewise, with values that join

import math


def f(x):
    scale = 2.0
    if x < 0:
        y = math.exp(x)
    elif x < 1:
        y = x * x
        scale = x
    elif x < 5:
        y = math.sqrt(x)
    else:
        y = scale
        scale = x
    return y * scale + x
