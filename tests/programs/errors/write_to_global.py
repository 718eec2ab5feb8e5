# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]
# exit: 3
# message: defined outside
# line: 14

import numpy as np

G = np.zeros(3)


def f(x):
    y = G
    y[0] = x[0, 0]
    return y.sum()
