# entry: f
# args: [[0.5, -0.25, 1.5, 3.0], [2.0, 0.75, -1.0, 0.125]]
# note: slices of constant length that begin at computed places are written to, over several axes too
import numpy as np


def f(x):
    y = x * 1.0
    for i in range(3):
        y[:, i:i + 2] = y[:, i:i + 2] * y[0, i] + 1.0
        y[i // 2, i:2 + i] += x[1, 1:3] * i
    for i in range(1):
        for j in range(3):
            y[i:i + 2, j:j + 2] = y[i:i + 2, j:j + 2].T * x[0, 1:3]
    flat = y.ravel()
    for i in range(5):
        flat[i:i + 4] *= 0.5
    return np.sum(flat * flat * np.arange(8))
