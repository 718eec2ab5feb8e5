# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]
# exit: 2
# message: a mask picks a number of elements
# line: 12

import numpy as np


def f(x):
    y = x * 1.0
    y[x < 0] = x * 2.0
    return (y * x).sum()
