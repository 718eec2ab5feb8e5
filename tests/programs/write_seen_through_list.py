# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]

import numpy as np


def f(x):
    l = [np.exp(x), x * 2.0]
    a = l[0]
    a[0] = 5.0
    return l[0].sum()
