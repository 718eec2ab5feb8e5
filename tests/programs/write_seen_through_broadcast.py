# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]

import numpy as np


def f(x):
    y = np.exp(x)[0]
    z = np.broadcast_to(y, (2, 3))
    y[0] = 7.0
    return z.sum()
