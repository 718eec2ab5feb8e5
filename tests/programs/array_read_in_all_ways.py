# entry: f
# args: 1.3

import numpy as np


def f(x):
    m = np.array([[x, -1.0], [2.0, x * x]]); k = m
    v = m[0]
    v[1] = 0.5
    s = m.min() + m.argmax() + m.cumsum()[2] + (m @ v).sum() + v.dot(v) + np.dot(m, v)[1] + np.linalg.norm(m)
    s = s + np.where(m > 1.0, m, 0.0).sum() + np.concatenate([v, v]).sum() + np.stack([v, v])[1, 0] + np.outer(v, v).sum()
    s = s + m[m > 0].sum() + v[[1, 0]][0] + len(m) + m.shape[0] + m.size + m.ndim
    if isinstance(m, np.ndarray) and (m > 0).all():
        s = s + 1.0
    return s + k.max() + abs(m).sum() + max(v) + sum(v) + float(v[0]) + np.sqrt(np.abs(m)).sum()
