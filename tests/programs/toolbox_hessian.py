# entry: f
# args: [0.5, 1.5]
# note: forward over reverse, of a function of an array, and of two numbers

import numpy as np
from gradus import hessian


def g(x):
    return np.exp(x[0]) * x[1] * x[1] + np.sin(x[0] * x[1])


def h(a, b):
    return a * a * b + b * b * b


def f(x):
    m = hessian(g)(x)
    (aa, ab), (ba, bb) = hessian(h, (0, 1))(x[0], x[1])
    return m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0] + aa * ba + ab * bb
