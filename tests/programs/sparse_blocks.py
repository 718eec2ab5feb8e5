# entry: f
# args: [0.5, -0.3, 1.1, 0.7, -0.9, 0.2, 1.3, -0.6, 0.4, 0.8, -1.1, 0.1, 0.6, -0.2, 0.9, 0.3, -0.7, 1.2, 0.25, -0.45, 0.15, 0.35, -0.85, 0.65]
# by: jax
# note: diagonal blocks: of sums of rows, of products of matrices, of a matrix as argument and as result

import jax.numpy as np
from jax import hessian, jacfwd, jacrev


def rows(x):
    m = x.reshape(8, 3)
    return np.sum(m * m, axis=1) * np.max(m, axis=1)


def products(m):
    return np.tanh(m) @ np.array([[1.0, 2.0], [0.5, -1.0], [0.25, 3.0]])


def f(x):
    a = jacrev(rows)(x)
    b = jacfwd(products)(x.reshape(8, 3))
    c = hessian(lambda x: np.sum(rows(x) ** 2))(x)
    return np.sum(a * np.sin(a)) + np.sum(b * b) + np.sum(c * np.cos(c)) * 1e-2 + b[2, 1, 2, 0] + c[4, 5] * c[0, 23]
