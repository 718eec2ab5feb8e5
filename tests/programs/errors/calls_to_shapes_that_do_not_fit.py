# entry: f
# args: 2.0
# exit: 2
# message: (3, 2) and (3,)
# line: 13
# calls: weighted 17, rows 21

import numpy as np


def weighted(a, b):
    # The shapes are those of the caller's caller.
    return np.sum(a @ b)


def rows(n, x):
    return weighted(np.ones((n, 2)), np.ones(n) * x)


def f(x):
    return rows(3, x) + 1.0
