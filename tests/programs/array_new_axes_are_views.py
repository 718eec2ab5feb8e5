# entry: f
# args: 1.3

import numpy as np


def f(x):
    v = np.array([x, 2.0, 3.0])
    r = v[None, :]
    c = v[:, np.newaxis]
    r[0, 1] = 5.0 * x
    c[2, 0] = x * x
    s = np.squeeze(r)
    s[0] += 1.0
    return v.sum() + (c @ r).sum()
