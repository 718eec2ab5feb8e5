# entry: f
# args: [0.5, -1.25, 2.0], 1.5
# note: arrays in closures, tuples and conditions; a function that is passed on
import numpy as np


def apply(g, x):
    return g(x)


def f(x, s):
    scaled = lambda v: v * x * s
    pair = (x + 1.0, x[1:])
    y = apply(scaled, pair[0]) if s > 1.0 else x
    z = np.where(y > 0.0, y * y, pair[0])
    return np.sum(z) + np.sum(pair[1]) * s
