# entry: f
# args: [0.3, -0.2], [[0.2, 0.1], [0.05, 0.3]]
# note: the steady state of a small network, for its input and its weights

import numpy as np
from gradus import fixed_point


def f(b, w):
    x = fixed_point(lambda x, b, w: np.tanh(w @ x + b), np.zeros(2), b, w, tol=1e-16)
    return np.sum(x * x)
