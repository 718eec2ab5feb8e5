# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]

import numpy as np


def f(x):
    a = np.exp(x)
    prev = x
    s = 0.0
    for i in range(3):
        s = s + prev.sum()
        prev = a
        a[0] = a[0] * 2.0
    return s
