# entry: f
# args: {"t": "complex", "v": [0.7, -1.2]}
# note: tangents and cotangents of complex numbers are complex numbers

import cmath

from gradus import hvp, jvp, vjp


def g(z):
    return cmath.sin(z) * z.conjugate()


def energy(z):
    return g(z).real


def f(z):
    y, back = vjp(g, z)
    return y, back(1.0)[0], back(2 - 1j)[0], jvp(g, (z,), (1j,)), hvp(energy, z, 1 - 2j)
