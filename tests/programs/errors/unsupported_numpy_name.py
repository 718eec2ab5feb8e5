# entry: f
# args: 2.0
# exit: 3
# message: histogram
# line: 11

import numpy as np


def f(x):
    return np.histogram(x)
