# entry: f
# args: 0.5
# note: Python's lambda would read the x that the loop has assigned

import math


def f(x):
    double = lambda y: 2.0 * y
    for g in [math.sin, double, lambda y: y * x, math.exp, double]:
        x = g(x)
    return x
