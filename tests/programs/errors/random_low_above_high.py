# entry: f
# args: 2
# exit: 1
# message: low >= high
# line: 11
# note: there is no int to draw
import numpy as np


def f(n):
    return np.random.default_rng(0).integers(3, n)
