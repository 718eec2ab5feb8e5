# entry: f
# args: 0.5
# order: 2
# note: primitives are functions like any other

import math


def total(fs, x):
    s = 0.0
    for g in fs:
        s += g(x)
    return s


def f(x):
    return total([math.sin, math.exp, math.sqrt, abs, math.tanh], x)
