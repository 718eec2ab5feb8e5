# entry: f
# args: 2.0
# exit: 3
# message: convolve
# line: 11

import numpy as np


def f(x):
    return np.convolve(x, x)
