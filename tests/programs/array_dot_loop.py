# entry: f
# args: [1.0, 2.0, 3.0], [0.5, -1.0, 2.0]
# args: [1.5], [2.0]
# closed: [y, x]
# note: elements are read in a loop: their cotangents are added in place
import numpy as np


def f(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i]
    return s
