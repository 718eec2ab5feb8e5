# entry: f
# args: 1.1, 3
# args: 0.7, 1
# order: 2
# wrt: 0
# note: loops one after the other over arrays of two sizes, whose records are not of one type


import numpy as np


def layer(x, n):
    for i in range(n):
        x = np.sin(x)
    return x


def f(s, n):
    x = layer(np.ones(4) * s, n)
    y = layer(x[:3] * s, n)
    return np.sum(layer(y, 2)) + np.sum(x)
