# entry: f
# args: [0.5, -0.3, 1.1, 0.7, -0.9, 0.2, 1.3, -0.6, 0.4, 0.8, -1.1, 0.1, 0.6, -0.2, 0.9, 0.3, -0.7, 1.2]
# by: jax
# note: sparse Jacobians of what sparse Jacobians are in, and of parts of tuples

import jax.numpy as np
from jax import grad, hessian, jacfwd, jacrev


def cubes(x):
    return np.sum(x[1:] * x[:-1] ** 3)


def diagonal(x):
    return np.sum(hessian(cubes)(x) * np.eye(18), axis=1)


def pair(x):
    return {"sines": np.sin(x), "products": x[1:] * x[:-1]}


def f(x):
    third = jacfwd(diagonal)(x)
    both = jacrev(pair)(x)
    inner = grad(lambda x: np.sum(jacfwd(np.exp)(x) * third))(x)
    return np.sum(third * both["sines"]) + np.sum(both["products"] ** 2) + np.sum(inner * x) * 1e-1 + third[4, 5]
