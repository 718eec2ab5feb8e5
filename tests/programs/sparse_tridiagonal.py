# entry: f
# args: [0.5, -0.3, 1.1, 0.7, -0.9, 0.2, 1.3, -0.6, 0.4, 0.8, -1.1, 0.1, 0.6, -0.2, 0.9, 0.3, -0.7, 1.2]
# by: jax
# note: a tridiagonal Hessian, and its derivative

import jax.numpy as np
from jax import hessian


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def f(x):
    h = hessian(rosenbrock)(x)
    return np.sum(h * np.sin(h)) * 1e-2 + h[3, 4] * h[4, 3] - h[7, 7] + h[2, 9]
