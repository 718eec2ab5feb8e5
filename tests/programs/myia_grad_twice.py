# entry: f
# args: 0.7
# closed: [60 * x**2]
# note: derivatives of derivatives

from myia import grad
from myia.operations import scalar_mul, scalar_pow


def f(x):
    def g(y):
        return scalar_pow(y, 5.0)

    return grad(grad(g))(x)
