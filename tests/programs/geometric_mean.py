# entry: f
# args: 1.0, 2.0
# args: 24.0, 6.0
# note: the arithmetic-geometric mean

import math


def f(a, b):
    while abs(a - b) > 1e-6:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return (a + b) / 2
