# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]
# exit: 2
# message: how many elements a mask picks
# line: 11

import numpy as np


def f(x):
    y = x[x > 0]
    return y.sum()
