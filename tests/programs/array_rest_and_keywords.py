# entry: f
# args: 1.3

import numpy as np


def g(p, *rest, k=None):
    for r in rest:
        r += p
    k[0] = 3.0
    return rest[0]


def f(x):
    a = np.zeros(2); b = np.ones(2); c = np.ones(3)
    h = g(x, a, b, k=c)
    h[1] = 7.0 * x
    return a.sum() + b.sum() * c[0] + a[1]
