# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]

import numpy as np


def f(x):
    y = np.exp(x)
    h = (lambda v: v) if x[0, 0] > 0.3 else (lambda v: v * 2.0)
    z = h(y)
    z[0] = 1.0
    return y.sum()
