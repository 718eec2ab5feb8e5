# command: grad
# entry: f
# args: [1.0, 2.0]
# exit: 2
# message: cannot become a float64 array of shape (2,) in place
# line: 12
import numpy as np


def f(x):
    b = np.zeros(2, dtype=int)
    b += x
    return np.sum(b)
