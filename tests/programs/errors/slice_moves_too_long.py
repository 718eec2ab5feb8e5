# entry: f
# args: [0.5, -0.25, 1.5, 3.0], 3
# exit: 2
# message: a slice of 5 elements of an axis of length 4
# line: 12
import numpy as np


def f(x, n):
    s = 0.0
    for i in range(n):
        s = s + np.sum(x[i:i + 5])
    return s
