# Which side of a plane a point is on, by logistic regression: labels are -1 and 1, the loss of a point is log(1 + exp(-margin)),
# as `logaddexp` so that it does not overflow. Gives the loss before every tenth step.
#
#   $ gradus run examples/logistic_regression.py train 30
#   [0.6931471805599453, 0.15494964982604126, 0.11650101691558916]

import numpy as np
from gradus import value_and_grad


def data(n):
    x = np.sin(12.9898 * np.arange(5 * n)).reshape(n, 5)
    side = x @ np.array([1.0, -2.0, 0.5, 0.0, 3.0]) + 0.25
    return x, np.where(side > 0.0, 1.0, -1.0)


def loss(w, x, y):
    return np.mean(np.logaddexp(0.0, -y * (x @ w[:-1] + w[-1])))


def train(steps):
    x, y = data(300)
    w = np.zeros(6)
    losses = np.zeros(steps)
    for i in range(steps):
        losses[i], dw = value_and_grad(loss)(w, x, y)
        w = w - 2.0 * dw
    return losses[::10]
