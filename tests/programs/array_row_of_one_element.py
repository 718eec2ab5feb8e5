# entry: f
# args: [[0.5], [-1.5]], 0.75, 1
# note: a row of one element is an array still, where it is written
import numpy as np


def f(a, t, i):
    a[i][0] += t
    a[i - 1] = a[i] * t
    return np.sum(np.sin(a))
