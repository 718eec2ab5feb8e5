# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]
# exit: 2
# message: cannot be written to all at once
# line: 12

import numpy as np


def f(x):
    y = [x[0, 0], x[0, 1]]
    y.sort()
    return y[0]
