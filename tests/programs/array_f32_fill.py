# entry: f
# args: [0.5, 1.5, -1.0, 2.0]
# precision: single
# note: an array of 32 bits that a loop fills, and elements of one, which are floats like others
import numpy as np


def f(x):
    n = len(x)
    a = np.zeros(n, dtype=np.float32)
    a[0] = np.sin(x[0])
    for i in range(1, n):
        a[i] = a[i - 1] * x[i] + 0.5
        a[i] *= x[i - 1]
    a[1:3] += x[1:3] * 2.0
    a[-1] = a[-1] - x[0] * a[0]
    return np.sum(a * a) / x[1]
