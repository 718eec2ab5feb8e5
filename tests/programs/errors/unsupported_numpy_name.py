# entry: f
# args: 2.0
# exit: 3
# message: unique
# line: 11

import numpy as np


def f(x):
    return np.unique(x)
