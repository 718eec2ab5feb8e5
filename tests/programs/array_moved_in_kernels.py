# entry: f
# args: [0.5, 1.5, -1.0, 2.0, 0.25, -0.75, 1.25, 3.0, -2.0, 0.5, 0.75, -1.5], [1.0, 0.5, -0.5, 0.25, 2.0, -1.0, 0.125, 0.75, -0.25, 1.5, -2.0, 0.375]
# note: the beginning of a list, here of its tangent, becomes a later part of one of the same length, of more than a vector
import numpy as np


def f(x, v):
    w = np.concatenate((v[:5], x[:7]))
    w[0] = 0.5
    return np.sum(w * w)
