# entry: f
# args: [0.5, -1.0], 1.5, 3
# args: [0.25, 2.0], 0.5, 1
# note: a shape depends on an argument, which forward mode hands on to the function
import numpy as np


def f(x, a, n):
    rows = np.zeros((n + 1, 2))
    rows[0] = x
    for i in range(n):
        rows[i + 1] = np.sin(a * rows[i]) + rows[i, ::-1]
    return np.sum(rows ** 2)
