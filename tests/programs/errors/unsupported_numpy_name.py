# entry: f
# args: 2.0
# exit: 3
# message: roots
# line: 11

import numpy as np


def f(x):
    return np.roots(x)
