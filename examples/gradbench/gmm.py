# The logarithm of the posterior of a mixture of k Gaussians in d dimensions, given n points: weights by their logarithms alpha,
# means mu, and precisions LᵀL, where L is lower triangular, with exp(q) on the diagonal and the columns of l below it. The prior
# of the precisions is Wishart's.

import math
import numpy as np
from gradus import grad
from scipy.special import gammaln, logsumexp


def log_wishart_prior(q, l, gamma, m):
    k, d = q.shape
    n = d + m + 1
    log_gamma = 0.25 * d * (d - 1) * math.log(math.pi) + np.sum(gammaln(0.5 * (n - np.arange(d))))
    normaliser = n * d * (math.log(gamma) - 0.5 * math.log(2.0)) - log_gamma
    squares = np.sum(np.exp(2.0 * q)) + np.sum(l * l)
    return k * normaliser - 0.5 * gamma * gamma * squares + m * np.sum(q)


def objective(alpha, mu, q, l, x, gamma, m):
    k, d = mu.shape
    n = len(x)
    row, column = np.arange(d)[:, None], np.arange(d)
    place = np.where(row < column, row * d - row * (row + 1) // 2 + column - row - 1, 0)
    transposed = np.exp(q)[:, None] * np.eye(d) + np.where(row < column, l[:, place], 0.0)
    origins = -(mu[:, None] @ transposed)
    affine = np.concatenate([transposed, origins], axis=1).transpose(1, 0, 2).reshape(d + 1, k * d)
    z = (np.concatenate([x, np.ones((n, 1))], axis=1) @ affine).reshape(n, k, d)
    terms = (alpha + np.sum(q, axis=1))[:, None] - 0.5 * np.sum(z * z, axis=2).T
    likelihood = np.sum(logsumexp(terms, axis=0)) - n * (logsumexp(alpha) + 0.5 * d * math.log(2.0 * math.pi))
    return likelihood + log_wishart_prior(q, l, gamma, m)


def jacobian(alpha, mu, q, l, x, gamma, m):
    dalpha, dmu, dq, dl = grad(objective, (0, 1, 2, 3))(alpha, mu, q, l, x, gamma, m)
    return {"alpha": dalpha, "mu": dmu, "q": dq, "l": dl}
