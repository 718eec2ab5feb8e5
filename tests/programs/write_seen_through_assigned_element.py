# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]

import numpy as np


def f(x):
    y = np.exp(x)
    l = [x, x]
    l[0] = y
    y[0] = 2.0
    return l[0].sum()
