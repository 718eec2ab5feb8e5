# entry: f
# args: [0.5, -0.3, 1.1, 0.7, -0.9, 0.2, 1.3, -0.6, 0.4, 0.8, -1.1, 0.1, 0.6, -0.2, 0.9, 0.3, -0.7, 1.2, 0.25, -0.45]
# by: jax
# note: Jacobians with bands, off the diagonal and in steps, forwards and in reverse

import jax.numpy as np
from jax import jacfwd, jacrev


def stencil(x):
    return x[:-4] * np.exp(x[2:-2]) - x[4:] / (2.0 + x[1:-3] ** 2)


def every_other(x):
    return np.concatenate([x[::2] * x[::-2], x[1::2] - x[1::2] ** 3])


def f(x):
    a, b, c = jacfwd(stencil)(x), jacrev(stencil)(x), jacfwd(every_other)(x)
    weights = np.sin(np.arange(16.0)[:, None] - 2.0 * np.arange(20.0))
    return np.sum(a * weights) + np.sum(b * b * weights) + np.sum(c * np.cos(c)) + a[3, 9] + b[5, 7]
