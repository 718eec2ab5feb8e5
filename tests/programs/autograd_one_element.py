# entry: f
# args: [[1.5, 2.0]]
# by: autograd
# note: a result with one element is a loss to Autograd's `grad`
import autograd.numpy as np
from autograd import grad, value_and_grad


def square(x):
    return np.dot(x, x.T)


def row(x):
    return np.array([np.sum(x**3)])


def f(x):
    value, gradient = value_and_grad(row)(x)
    return np.sum(grad(square)(x) * x) + np.sum(gradient * x) + np.sum(value) + np.sum(grad(lambda x: np.sum(x))(x))
