# entry: f
# args: [[1.0, 0.0], [0.0, 1.0]]
# by-hand
# note: symmetric functions of eigenvalues and singular values that are equal

import numpy as np


def f(a):
    values = np.linalg.eigvalsh(a)
    w, v = np.linalg.eigh(a)
    u, s, vt = np.linalg.svd(a)
    return np.sum(values**2) + np.sum(w**3) + np.sum(s**2) + np.sum(np.linalg.svd(a, compute_uv=False))
