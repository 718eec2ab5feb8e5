# entry: f
# args: 0.7
# args: -1.3
# order: 2
# note: second derivatives through complex numbers

import cmath


def f(t):
    z = complex(t, t * t)
    w = cmath.exp(1j * z) / (1 + z) + cmath.sqrt(z)
    return abs(w) + (w * w).real
