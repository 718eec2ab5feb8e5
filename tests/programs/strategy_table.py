# entry: f
# args: 0.5, 0
# args: 0.5, 1
# args: 0.5, 2
# note: a function picked by a loop out of a tuple

import math


def f(x, wanted):
    y = x
    for i, g in enumerate((math.sin, lambda z: z * z * x, math.exp)):
        if i == wanted:
            y = g(x)
    return y * x
