# entry: f
# args: {"t": "complex", "v": [1.0, 2.0]}, 3.0
# args: {"t": "complex", "v": [0.0, 0.0]}, 0.0
# note: what complex numbers are equal to, their truth, and the parts of real numbers


def f(z, x):
    parts = x.real + x.imag + x.conjugate()
    tests = (z == 1 + 2j, z != 1, x == z, bool(z), isinstance(z, complex), isinstance(z, float), isinstance(x, (float, complex)))
    return z, -z, z.conjugate(), complex(x), complex(x, 1), complex(z, z), 2j, tests, parts
