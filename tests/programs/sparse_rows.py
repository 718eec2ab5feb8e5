# entry: f
# args: [0.5, -0.3, 1.1, 0.7, -0.9, 0.2, 1.3, -0.6, 0.4, 0.8, -1.1, 0.1, 0.6, -0.2, 0.9, 0.3, -0.7, 1.2]
# note: compressed rows times a vector, and their derivative: of Jacobians by columns and by rows, of two arguments, of a Hessian

import numpy as np
from gradus import hessian, jacfwd, jacrev


def times(matrix, v):
    data, columns, starts = matrix
    products = data * v[columns]
    result = np.zeros(len(starts) - 1)
    for i in range(len(starts) - 1):
        for k in range(starts[i], starts[i + 1]):
            result[i] += products[k]
    return result


def band(x, y):
    return x[1:] * x[:-1] - np.sin(y)


def energy(x):
    return np.sum((x[1:] - x[:-1] ** 2) ** 2)


def f(x):
    y, v = x[1:] * x[:-1], np.cos(x)
    a = times(jacfwd(band, sparse=True)(x, y), v)
    by_x, by_y = jacrev(lambda x, y: band(x, y), (0, 1), sparse=True)(x, y)
    b = times(by_x, v) + times(by_y, v[1:])
    c = times(hessian(energy, sparse=True)(x), v)
    row = times(jacrev(energy, sparse=True)(x), v)
    return np.sum(a * b) + np.sum(c * np.sin(x)) + row[0]
