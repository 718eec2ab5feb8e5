# entry: f
# args: 1.3

import numpy as np


def f(x):
    a = np.arange(6.0) * x
    p, q = np.split(a, 2)
    p[0] = 9.0 * x
    q += p
    l = np.array_split(a, 3)
    l[2][1] = x
    return a.sum() + p.sum() * q[0]
