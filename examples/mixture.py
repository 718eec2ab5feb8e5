# A mixture of three round Gaussians in the plane, fitted to points by gradient descent on the mean of the negative log-likelihood:
# logarithms of weights, means, and logarithms of precisions. Gives the loss before every 25th step.
#
#   $ gradus run examples/mixture.py fit 100
#   [3.891845596137147, 3.2399971209772245, 3.2392639386497306, 3.2392638482647884]

import numpy as np
from gradus import value_and_grad
from scipy.special import logsumexp


def data(n):
    angle = 2.4 * np.arange(n)
    middle = np.array([[0.0, 0.0], [4.0, 1.0], [1.0, 5.0]])[np.arange(n) % 3]
    return middle + np.stack([np.cos(angle), np.sin(2.0 * angle)], axis=1)


def loss(weights, means, precisions, points):
    difference = points[:, None, :] - means
    squares = np.sum(difference * difference, axis=2)
    each = weights - logsumexp(weights) + precisions - 0.5 * np.exp(precisions) * squares
    return np.log(2.0 * np.pi) - np.mean(logsumexp(each, axis=1))


def fit(steps):
    points = data(90)
    weights, means, precisions = np.zeros(3), points[:3] + 0.5, np.zeros(3)
    losses = np.zeros(steps)
    for i in range(steps):
        losses[i], (dw, dm, dp) = value_and_grad(loss, (0, 1, 2))(weights, means, precisions, points)
        weights, means, precisions = weights - 0.5 * dw, means - 0.5 * dm, precisions - 0.5 * dp
    return losses[::25]
