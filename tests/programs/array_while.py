# entry: f
# args: [0.3, 0.6], 5.0
# args: [2.0, 3.0], 1.0
# note: how often a loop runs depends on an array
import numpy as np


def f(x, limit):
    y = x
    while np.sum(y * y) < limit:
        y = y * 1.5 + 0.1 * x
        if y[0] > 1.0:
            y = y - np.roll(x, 1) * 0.25
    return y[0] * y[1] + np.max(y)
