# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]
# note: every operator updates what a mask picks, by a number, or by what fits each row that a mask of the first axis picks
import numpy as np


def f(x):
    y = x * x
    y[x < 0.0] *= 2.0
    y[x > 1.0] -= x[0, 0]
    y[x > 0.7] /= x[0, 0] + 3.0
    y[x > 0.0] **= 1.5
    y[x[:, 2] > 0.0] *= x[1]
    y[0][x[0] < 0.0] -= x[1, 1]
    n = np.array([3, 4, 5])
    n[n > 3] *= 2
    n[n < 9] -= 1
    return np.sum(y * n)
