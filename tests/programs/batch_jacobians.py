# entry: f
# args: [0.5, -1.2, 1.1, 0.7, -0.9]
# note: Jacobians of a loop, which keeps values on a tape in reverse mode

import numpy as np
from gradus import jacfwd, jacrev


def powers(v):
    out = v
    for k in range(5):
        out = out * np.sin(v) + v[::-1] * k
    return out


def f(x):
    r = jacrev(powers)(x)
    d = jacfwd(powers)(x)
    return np.sum(r * r) * 1e-3 + np.sum(d * np.sin(r)) * 1e-2
