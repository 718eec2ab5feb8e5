# entry: f
# args: 0.5
# order: 2
# note: a for over a list of functions, each applied to the result of the one before; two of them are closures

import math


def f(x):
    double = lambda y: 2.0 * y
    z = x
    for g in [math.sin, double, lambda y: y * x, math.exp, double]:
        z = g(z)
    return z
