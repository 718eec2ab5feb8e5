# entry: f
# args: [0.5, -0.25, 1.5, 3.0, 2.0, 0.75, -1.0, 0.125], 2
# note: slices of constant length that begin at computed places are read
import numpy as np


def window(a, i, k):
    return a[i:i + k]


def f(x, w):
    weights = np.array([0.25, 0.5, 0.25])
    s = 0.0
    for i in range(1, 7):
        s = s + np.sum(x[i - 1:i + 2] * weights) ** 2
    rows = x.reshape(4, 2)
    for b in range(2):
        batch = rows[b * 2:(b + 1) * 2]
        s = s + np.sum(batch @ batch) * (b + 1)
    for i in range(w, 6):
        s = s + np.sum(window(x, i, 2) * window(x, i - w, 2))
    for i in range(-4, -3):
        s = s + np.prod(x[i:i + 3]) * np.sum(rows[1:, i + 6 - 2:i + 5])
    return s
