# entry: f
# args: 1.3

import numpy as np


def f(x):
    h = np.zeros((3, 2))
    s = np.zeros(2)
    for t in range(3):
        s += x * (t + 1)
        h[t] = s
    hist = []
    for t in range(3):
        s *= 0.5
        hist.append(s)
    return h.sum() + sum(v.sum() for v in hist)
