# entry: f
# args: [0.3, 0.5, 0.7], 0.4
# by: autograd
# note: gradients that a program defines after the function, as in Autograd's tutorial

import autograd.numpy as np
import autograd.scipy.stats.norm as norm
from autograd import grad
from autograd.differential_operators import make_ggnvp
from autograd.extend import defjvp, defvjp, primitive
from autograd.scipy.special import expit


@primitive
def logsumexp(x):
    """Numerically stable log(sum(exp(x)))."""
    max_x = np.max(x)
    return max_x + np.log(np.sum(np.exp(x - max_x)))


def logsumexp_vjp(ans, x):
    x_shape = x.shape
    return lambda g: np.full(x_shape, g) * np.exp(x - np.full(x_shape, ans))


defvjp(logsumexp, logsumexp_vjp)


@primitive
def scaled(a, n, b):
    return a * b * n


# The second argument has none; those of the others are not the real ones.
defvjp(scaled, lambda ans, a, n, b: lambda g: g * b * 7.0, lambda ans, a, n, b: lambda g: g * a, argnums=(0, 2))

square = primitive(lambda x: x * x)
defjvp(square, lambda g, ans, x: 3.0 * x * g)


def example(y):
    return logsumexp(np.sin(y) ** 2)


def f(x, a):
    first = np.sum(grad(example)(x) ** 2) + scaled(a, 2, x[0])
    product = make_ggnvp(lambda v: 2.0 * v)(x)(x)
    return first + np.sum(product) + norm.logpdf(a, x[1], 2.0) + expit(x[2]) + norm.cdf(a)
