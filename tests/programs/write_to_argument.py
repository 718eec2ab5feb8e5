# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]

import numpy as np


def g(a):
    a[0] = 5.0
    return a.sum()


def f(x):
    y = np.exp(x)
    s = g(y)
    return y.sum() + s
