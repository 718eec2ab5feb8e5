# entry: f
# args: 1.3

import numpy as np


def f(x):
    a = np.zeros(3)
    def inc(i):
        a[i] += x * (i + 1)
        return a
    b = inc(0)
    g = lambda i: inc(i)[i]
    s = g(1) + g(2)
    b[0] *= 2.0
    return a.sum() + s
