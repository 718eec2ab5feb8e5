# entry: f
# args: 1.3, [0.5, 2.0]
# note: constants to all derivatives: a number, an array, a tuple

import numpy as np
from gradus import stop_gradient


def f(x, v):
    a = stop_gradient(x * x) * x
    b = stop_gradient(v) * v
    c, d = stop_gradient((x, v))
    return a + np.sum(b * b) + c * np.sum(d * v)
