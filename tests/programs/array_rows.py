# entry: f
# args: [[0.5, 1.0], [-1.0, 0.25], [2.0, 0.125]], [[0.1, 0.2], [0.3, -0.4]]
# note: a recurrent cell over the rows of an array; products of a vector and a matrix
import numpy as np


def f(rows, w):
    h = np.zeros(2)
    for row in rows:
        h = np.tanh(row @ w + h @ w.T)
    return np.sum(h * h)
