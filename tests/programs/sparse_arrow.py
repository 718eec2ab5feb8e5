# entry: f
# args: [0.5, -0.3, 1.1, 0.7, -0.9, 0.2, 1.3, -0.6, 0.4, 0.8, -1.1, 0.1, 0.6, -0.2, 0.9, 0.3, -0.7, 1.2]
# by: jax
# note: a row with all columns, a column with all rows, and both

import jax.numpy as np
from jax import hessian, jacfwd, jacrev


def f(x):
    arrow = hessian(lambda x: np.sum(x[0] * x * np.exp(x)))(x)
    column = jacfwd(lambda x: x[0] * x)(x)
    row = jacrev(lambda x: np.concatenate([x[1:] ** 2, np.sum(x**3, keepdims=True)]))(x)
    full = jacfwd(lambda x: x / np.sum(x * x))(x)
    return np.sum(arrow * np.sin(arrow)) + np.sum(column * row) + np.sum(full * arrow) + column[5, 0] + row[17, 2]
