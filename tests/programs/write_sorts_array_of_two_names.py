# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]

import numpy as np


def f(x):
    y = x.ravel() * 1.0
    z = y
    y.sort()
    return z[0]
