# entry: f
# args: [[1.0, 0.0], [0.0, 1.0]]
# by-hand
# note: symmetric functions of eigenvalues and singular values that are equal

import numpy as np


def f(a):
    w, v = np.linalg.eigh(a)
    u, s, vt = np.linalg.svd(a)
    return np.sum(w**3) + np.sum(s**2)
