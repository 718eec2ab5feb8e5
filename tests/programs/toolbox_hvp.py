# entry: f
# args: [0.5, 1.5, -0.7]
# note: a Hessian times a vector, differentiated again

import numpy as np
from gradus import hvp


def g(x):
    return np.sum(np.sin(x) * x[0]) + x[1] * x[1] * x[2]


def f(x):
    v = np.array([1.0, 2.0, -1.0])
    w = hvp(g, x, v)
    return np.sum(w * w) + np.sum(hvp(g, x, x))
