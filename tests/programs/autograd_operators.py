# entry: f
# args: [0.3, 0.5]
# by: autograd
# note: Autograd's operators: `argnum`, and pullbacks before values

import autograd.numpy as np
from autograd import (
    checkpoint, deriv, elementwise_grad as egrad, grad, grad_and_aux, jacobian, make_jvp, make_vjp, value_and_grad,
    vector_jacobian_product,
)
from autograd.builtins import isinstance, tuple


def tanh(x):
    return (1.0 - np.exp(-2 * x)) / (1.0 + np.exp(-(2 * x)))


def weighted(w, x, power=2):
    return np.sum(w * x ** power)


def f(x):
    by_w, by_x = grad(weighted, argnum=[0, 1])(np.cos(x), x)
    value, again = value_and_grad(weighted, 1)(x, x, power=3)
    jac = jacobian(lambda v: np.sin(v) * v[0])(x)
    vjp, ans = make_vjp(np.sin)(x)
    val, tangent = make_jvp(np.cos)(x)(np.array([1.0, 2.0]))
    beside, more = grad_and_aux(lambda v: (np.sum(v ** 2), v[1]))(x)
    total = np.sum(egrad(tanh)(x)) + np.sum(by_w) + np.sum(by_x * x) + value + np.sum(again) + np.sum(jac ** 2)
    total = total + np.sum(vjp(ans)) + np.sum(val * tangent) + np.sum(beside) * more
    total = total + deriv(lambda s: s ** 3)(x[0]) + checkpoint(tanh)(x[1]) + np.sum(vector_jacobian_product(np.exp)(x, x))
    return total if isinstance((x, x), tuple) else 0.0
