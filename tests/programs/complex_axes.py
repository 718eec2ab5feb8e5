# entry: f
# args: 0.0, 1.0
# args: 0.0, -2.0
# args: 4.0, 0.0
# args: 1.0, 1.0
# args: -0.5, 0.5
# note: on the imaginary axis and where both parts are equal, the derivatives of roots and logarithms are those around it

import cmath

from gradus import grad


def root(x, y):
    z = cmath.sqrt(complex(x, y))
    return z.real + 2.0 * z.imag


def size(x, y):
    return cmath.log(complex(x, y)).real


def f(x, y):
    return root(x, y) + size(x, y) + grad(size, 0)(x, y) * grad(size, 1)(x, y)
