# entry: f
# args: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], 2
# note: an array and a row of it are read for the last time at once
import numpy as np


def f(x, n):
    a = np.cumsum(x, axis=0)
    for i in range(n):
        a = np.sin(a) * a[i] + x
    return np.sum(a * a[n])
