# entry: f
# args: 1.3

import numpy as np


def f(x):
    a = np.zeros(3) + x
    b = a.T
    b[0] = 2.0
    c = np.ravel(a)
    c[1] = 3.0 * x
    d = a.reshape((3, 1))
    d[2] = x * x
    e = np.atleast_2d(a)
    e[0, 0] += x
    g = np.flip(a)
    g[0] *= 2.0
    return a.sum() + b.sum() + c.sum() + d.sum()
