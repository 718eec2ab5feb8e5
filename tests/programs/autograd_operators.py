# entry: f
# args: [0.3, 0.5, 0.7]
# by: autograd
# note: Autograd's operators: `argnum`, pullbacks before values, what is multiplied last among the arguments

import autograd.numpy as np
from autograd import (
    checkpoint, deriv, elementwise_grad as egrad, grad, grad_and_aux, hessian, hessian_vector_product, jacobian, make_hvp, make_jvp,
    make_vjp, value_and_grad, vector_jacobian_product,
)
from autograd.builtins import isinstance, tuple
from autograd.differential_operators import make_ggnvp


def tanh(x):
    return (1.0 - np.exp(-2 * x)) / (1.0 + np.exp(-(2 * x)))


def weighted(w, x, power=2):
    return np.sum(w * x ** power)


def outer_sine(x):
    return np.outer(np.sin(x), x)


def f(x):
    third = egrad(egrad(egrad(tanh)))(x)
    by_w, by_x = grad(weighted, argnum=[0, 1])(np.cos(x), x)
    value, again = value_and_grad(weighted, 1)(x, x, power=3)
    jac = jacobian(outer_sine)(x)
    cubes = lambda v: np.sum(v ** 3) * v[0]
    curved = np.dot(x, np.dot(hessian(cubes)(x), x)) + np.sum(hessian_vector_product(cubes)(x, np.ones(3)))
    vjp, ans = make_vjp(np.sin)(x)
    val, tangent = make_jvp(outer_sine)(x)(np.array([1.0, 0.0, 2.0]))
    hvp, gradient = make_hvp(weighted, 1)(x, x)
    gauss_newton = make_ggnvp(lambda v: np.sin(v) * v)(x)(x)
    beside, more = grad_and_aux(lambda v: (np.sum(v ** 2), v[1]))(x)
    total = np.sum(third) + np.sum(by_w) + np.sum(by_x * x) + value + np.sum(again) + np.sum(jac ** 2) + curved
    total = total + np.sum(vjp(ans)) + np.sum(val * tangent) + np.sum(hvp(x)) + np.sum(gradient) + np.sum(gauss_newton)
    total = total + np.sum(beside) * more + deriv(lambda s: s ** 3)(x[0]) + checkpoint(tanh)(x[1])
    total = total + np.sum(vector_jacobian_product(np.exp)(x, x))
    return total if isinstance((x, x), tuple) else 0.0
