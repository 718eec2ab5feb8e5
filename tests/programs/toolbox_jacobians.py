# entry: f
# args: [0.5, 1.5, -0.7], 0.3
# note: by forward and by reverse mode, of arrays and numbers, for several arguments

import numpy as np
from gradus import jacfwd, jacrev


def g(x, s):
    return np.array([x[0] * x[1] * s, np.sin(x[2]) + s * s])


def f(x, s):
    a, b = jacfwd(g, (0, 1))(x, s)
    c, d = jacrev(g, (0, 1))(x, s)
    e = jacrev(lambda t: t * t * t)(s)
    h = jacfwd(lambda t: t * x)(s)
    weights = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    return np.sum(a * weights) + np.sum(c * c) + b[0] * d[1] + e + np.sum(h * h)
