# entry: f
# args: [0.3, 0.5]
# by: autograd
# note: Autograd's operators of the second order, which take what is multiplied last

import autograd.numpy as np
from autograd import hessian, hessian_vector_product, make_hvp


def cubes(v):
    return np.sum(v ** 3)


def f(x):
    curved = np.sum(hessian(cubes)(x)) + np.sum(hessian_vector_product(cubes)(x, np.ones(2)))
    hvp, gradient = make_hvp(lambda w, v: np.dot(w, v * v), 1)(x, x)
    return curved + np.sum(hvp(x)) + np.sum(gradient)
