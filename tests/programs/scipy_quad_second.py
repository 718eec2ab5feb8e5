# entry: f
# args: 0.75
# order: 2
# note: derivatives of an integral are integrals of derivatives, each in parts of its own

import math

from scipy.integrate import quad


def f(a):
    return quad(lambda x: math.exp(-a * x) / (1.0 + x * x * a), 0.0, 1.0 + a)[0] * quad(lambda x: math.exp(-x * x), a, math.inf)[0]
