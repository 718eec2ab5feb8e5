# entry: loss
# args: [[0.1, -0.2, 0.3], [0.4, 0.25, -0.6]], [0.05, -0.1, 0.2], [0.7, -0.5, 0.3], [[1.0, 2.0], [-0.5, 0.75], [0.25, -1.5], [2.0, 0.5]]
# precision: single
# note: a network on arrays of 32 bits, with products of matrices and a broadcast along each axis
import numpy as np


def loss(w, b, v, x):
    h = np.maximum(x @ w + b, 0.0) + 0.1 * np.tanh(x @ w)
    z = h @ v
    m = np.max(z)
    return m + np.log(np.sum(np.exp(z - m))) + np.mean(h * h, axis=0) @ v
