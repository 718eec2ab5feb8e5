# entry: f
# args: 1.5, -0.4
# closed: [4 * x * y, 2 * x**2 + 1]
# note: partial applications, and functions given to functions

from myia.operations import identity, partial, return_, scalar_add, scalar_cast, scalar_div, scalar_mul
from myia.xtype import f64


def twice(g, x):
    return scalar_add(g(x), g(x))


def f(x, y):
    g = partial(scalar_mul, scalar_mul(x, y))
    return return_(scalar_add(twice(g, x), identity(y))) + scalar_cast(scalar_div(7, 2), f64)
