# A line through noisy points by gradient descent. The data are made in the program, by a sine in place of a random number, and the
# loop that trains is part of it: one call compiles all of it and gives the loss before every twentieth step.
#
#   $ gradus run examples/linear_regression.py train 60
#   [10.056202218202687, 0.0076783713140603956, 0.0050208251947396225]

import numpy as np
from gradus import value_and_grad


def data(n):
    x = np.sin(12.9898 * np.arange(3 * n)).reshape(n, 3)
    noise = 0.1 * np.sin(78.233 * np.arange(n))
    return x, x @ np.array([2.0, -1.0, 0.5]) + 3.0 + noise


def loss(w, b, x, y):
    return np.mean((x @ w + b - y) ** 2)


def train(steps):
    x, y = data(200)
    w, b = np.zeros(3), 0.0
    losses = np.zeros(steps)
    for i in range(steps):
        losses[i], (dw, db) = value_and_grad(loss, (0, 1))(w, b, x, y)
        w, b = w - 0.3 * dw, b - 0.3 * db
    return losses[::20]
