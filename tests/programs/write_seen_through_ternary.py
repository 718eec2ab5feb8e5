# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]

import numpy as np


def f(x):
    y = np.exp(x)
    z = y if x[0, 0] > 0.0 else x * 2.0
    z[0] = 5.0
    return y.sum()
