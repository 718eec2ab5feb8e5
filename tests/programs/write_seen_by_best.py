# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]

import numpy as np


def f(x):
    y = np.zeros(3)
    best = y
    for i in range(3):
        y[i] = x[0, i]
        if x[0, i] > 0.5:
            best = y
    return best.sum()
