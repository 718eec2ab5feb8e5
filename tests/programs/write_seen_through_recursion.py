# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]

import numpy as np


def g(a, n):
    if n == 0:
        return a
    return g(a, n - 1)


def f(x):
    y = np.exp(x)
    z = g(y, 3)
    z[0] = 9.0
    return y.sum()
