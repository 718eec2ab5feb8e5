# entry: f
# args: [0.1, 0.2], [[1.0, 2.0], [0.5, -1.0], [3.0, 1.0]], [1.0, 0.0, 2.0], 3
# precision: single
# note: the gradient of what some steps of gradient descent arrive at, in 32 bits
import numpy as np
from gradus import grad


def loss(w, x, y):
    d = x @ w - y
    return np.sum(d * d) / 3.0


def f(w, x, y, n):
    for step in range(n):
        w = w - 0.05 * grad(loss)(w, x, y)
    return loss(w, x, y)
