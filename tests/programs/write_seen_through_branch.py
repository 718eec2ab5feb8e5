# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]

import numpy as np


def f(x):
    y = np.exp(x)
    if x[0, 0] > 0.0:
        z = y
    else:
        z = np.zeros((2, 3))
    z[0] = 5.0
    return y.sum()
