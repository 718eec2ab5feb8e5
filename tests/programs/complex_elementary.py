# entry: f
# args: 0.7, -1.2
# args: -0.4, 0.9
# args: 1.6, 2.1
# note: every function of cmath

import cmath


def f(x, y):
    z = complex(x, y)
    total = 0.0
    for function in (cmath.exp, cmath.log, cmath.sqrt, cmath.sin, cmath.cos, cmath.tan, cmath.sinh, cmath.cosh, cmath.tanh):
        w = function(z)
        total = total + w.real + 2.0 * w.imag
    for function in (cmath.asin, cmath.acos, cmath.atan, cmath.asinh, cmath.acosh, cmath.atanh, cmath.log10):
        w = function(z)
        total = total + w.real - w.imag
    r, phi = cmath.polar(z)
    return total + r * phi + cmath.phase(z) + cmath.rect(x, y).imag
