# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]

import numpy as np


def g(a):
    b = a * 2.0
    return b, b


def f(x):
    p, q = g(x)
    p[0] = 1.0
    return q.sum()
