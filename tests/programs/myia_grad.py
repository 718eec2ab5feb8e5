# entry: f
# args: 0.7, 1.9
# closed: [2 * y * exp(y), 2 * x * (1 + y) * exp(y)]
# note: a function that returns a gradient, decorated with options

from myia import grad, myia
from myia.operations import scalar_exp, scalar_mul


def g(x, y):
    return scalar_mul(scalar_mul(x, x), scalar_mul(y, scalar_exp(y)))


@myia(backend="pytorch")
def f(x, y):
    return grad(g)(x, y)
