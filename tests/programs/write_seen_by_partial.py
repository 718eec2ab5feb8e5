# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]

from functools import partial

import numpy as np


def f(x):
    y = np.exp(x)
    g = partial(lambda a, b: a.sum() + b, y)
    y[0] = 2.0
    return g(1.0)
