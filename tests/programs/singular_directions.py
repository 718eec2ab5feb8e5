# entry: f
# args: [0.0, 3.0]
# by-hand
# note: in the direction of the second element nothing reaches the root, which has no derivative there.
import numpy as np
from gradus import jacfwd


def h(x):
    return np.sqrt(x[0] * x[0]) + x[1] ** 2


def f(x):
    return jacfwd(h)(x)[1]
