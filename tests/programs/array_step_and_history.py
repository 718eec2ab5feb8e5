# entry: f
# args: 1.3

import numpy as np


def rk(f, y, h):
    k1 = f(y); k2 = f(y + h * k1 / 2)
    y += h * k2


def f(x):
    def deriv(y):
        d = np.empty_like(y)
        d[0] = y[1]
        d[1] = -x * y[0]
        return d
    y = np.array([1.0, 0.0]); hist = [y.copy()]
    for i in range(20):
        rk(deriv, y, 0.1)
        hist.append(y.copy())
    h = np.array(hist)
    h[0] = y
    return h.sum() + y[0]
