# entry: f
# args: 2.0
# order: 2
# note: operations on arrays in a program without an array

import numpy as np


def f(x):
    total = np.zeros_like(x)
    for i in range(3):
        total = total + x * x * i
    return total
