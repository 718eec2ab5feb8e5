# entry: f
# args: [[0.5, 1.5, -0.7], [1.0, 0.2, 0.3]], 0.4
# note: rows and columns, with an argument that is the same for all, and tuples of results

import numpy as np
from gradus import grad, vmap


def g(v, s):
    return np.sum(v * v) * s, v * s


def f(m, s):
    a, b = vmap(g, (0, None))(m, s)
    c = vmap(lambda v: np.sum(np.sin(v)), 1)(m)
    d = vmap(grad(lambda v: np.sum(v * v * v)))(m)
    return np.sum(a * a) + np.sum(b * m) + np.sum(c * c * s) + np.sum(d * d)
