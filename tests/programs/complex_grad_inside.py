# entry: f
# args: {"t": "complex", "v": [0.7, -1.2]}
# note: a gradient with respect to a complex number inside of a program, and its gradient

import cmath

from gradus import grad


def energy(z):
    return abs(cmath.sin(z)) ** 2 + (z * z).imag


def f(z):
    d = grad(energy)(z)
    return d.real * d.imag + isinstance(d, complex)
