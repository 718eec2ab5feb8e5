# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]

import numpy as np


def f(x):
    l = [x[0, 0], 2.0, 3.0]
    m = l
    m += [1.0]
    return float(len(l))
