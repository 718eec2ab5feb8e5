# entry: f
# args: 1.3

import numpy as np


def f(x):
    t = np.zeros((2, 3, 2))
    t[1][2][0] = x
    s = t[1]; r = s[2]
    r[1] = x * x
    t[0, :, 1] = np.array([1.0, x, 2.0])
    u = t[:, 1]
    u += x
    w = t.transpose(2, 0, 1)
    w[0, 0, 0] = 4.0 * x
    return (t * np.arange(12.0).reshape(2, 3, 2)).sum() + u.sum() + r.sum()
