# entry: f
# args: {"t": "complex", "v": [1.5, -2.5]}
# args: {"t": "complex", "v": [-0.3, 0.8]}
# closed: [2 * z + 1 / z.conjugate()]
# note: the gradient of a real function is the direction in which it ascends most: of |z|² it is 2z, of the real part of log it is 1/z̄

import cmath


def f(z):
    return abs(z) ** 2 + cmath.log(z).real
