# entry: f
# args: [0.5, -0.25, 1.5, 3.0], 2
import numpy as np


def f(x, n):
    y = x * 2.0
    for i in range(n):
        part = y[i:i + 3]
        part[0] = 2.0
    return np.sum(y)
