# command: grad
# entry: f
# args: [0.5, 2.0]
# exit: 2
# message: returns an int64 array of shape (2,) here and a float64 array of shape (2,) elsewhere
# line: 11
# note: arrays of one type of elements are what a function returns
import numpy as np
def g(x):
    if x[0] > 1.0:
        return np.arange(2)
    return x


def f(x):
    return np.sum(np.zeros_like(g(x)) + x)
