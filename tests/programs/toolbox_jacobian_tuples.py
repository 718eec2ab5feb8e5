# entry: f
# args: 0.3, 0.8
# note: tuples of results outside, tuples of arguments inside

import numpy as np
from gradus import jacfwd, jacrev


def g(p):
    u, v = p
    return u * v[0], v * u


def f(x, y):
    p = (x, np.array([y, 2.0 * x]))
    (a, b), (c, d) = jacrev(g)(p)
    (e, k), (l, m) = jacfwd(g)(p)
    return a * e + np.sum(b * k) + np.sum(c * l) * x + np.sum(d * m) * y
