# entry: f
# args: [[0.5, 1.5, -0.7, 0.1], [-1.2, 2.2, 0.9, 0.4], [1.1, 0.35, -2.1, 0.65], [1.7, -0.2, 0.8, 1.3], [-0.9, 0.25, 2.6, -1.6], [0.45, 1.05, -0.3, 0.15], [1.9, -1.4, 0.55, 0.95]], 0.3
# note: a recurrence within each row, its outputs beside its end; the gradient of each row

import numpy as np
from gradus import grad, vmap


def states(row, s):
    h = s
    out = np.zeros(4)
    for t in range(4):
        h = np.tanh(h * row[t] + s)
        if t > 1:
            h = h * 0.5
        out[t] = h
    return out, h


def f(m, s):
    a, b = vmap(states, (0, None))(m, s)
    g = vmap(grad(lambda row: states(row, 0.2)[1] * row[0]))(m)
    return np.sum(a * m) + np.sum(b * b) + np.sum(g * m)
