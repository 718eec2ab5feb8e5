# entry: f
# args: 0.5
# closed: [720*x]
# note: two Jacobians of a function that takes two, by the same functions of the library: no recursion

import numpy as np
from gradus import jacfwd


def sixth(v):
    return (v * v) ** 3


def f(x):
    inner = lambda v: np.sum(jacfwd(jacfwd(sixth))(v))
    return np.sum(jacfwd(jacfwd(inner))(np.array([x, 1.0])))
