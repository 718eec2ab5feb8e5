# entry: f
# args: [0.5, 1.5, -0.7, 0.1, -1.2, 2.2, 0.9, -0.4, 1.1, 0.35, -2.1, 0.65, 1.7, -0.2, 0.8, 1.3, -0.9, 0.25, 2.6, -1.6, 0.45, 1.05, -0.3, 0.15, 1.9, -1.4]
# note: rows of which some take one way and some another, with roots that have no value on the way not taken; conditional writes

import numpy as np
from gradus import vmap


def g(v):
    if v > 1.0:
        return np.sqrt(v - 1.0)
    if v > 0.0:
        w = np.log(v)
        return w * w
    return v * v * v


def f(x):
    y = vmap(g)(x)
    z = np.ones(26)
    for i in range(26):
        if x[i] < 0.3:
            z[i] = np.exp(x[i])
        elif y[i] > 0.5:
            z[i] += x[i]
    return np.sum(y) + np.sum(y * z * x)
