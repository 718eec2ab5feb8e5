# entry: f
# args: 1.3

import numpy as np


def f(x):
    m = np.arange(6.0).reshape(3, 2) * x
    rows = [r for r in m]
    rows[1][0] = 10.0 * x
    a, b, c = m
    c[1] = x * x
    a *= b
    return m.sum() + (m ** 2).sum()
