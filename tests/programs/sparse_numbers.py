# entry: f
# args: [0.5, "inf", 1.1, "-inf", "nan", 0.2, 1.3, -0.6, 0.4, 0.8, -1.1, 0.1, 0.6, -0.2, 0.9, 0.3, -0.7, 1.2]
# by-hand
# note: numbers that are not finite stay in the entries that depend on them: all else is zero

import numpy as np
from gradus import jacfwd, jacrev


def f(x):
    return jacfwd(lambda x: np.exp(x[:-1]) - x[1:])(x) + jacrev(lambda x: np.exp(x[:-1]) - x[1:])(x)
