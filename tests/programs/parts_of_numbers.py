# entry: f
# args: 2.3, 0.7
# args: -5.9, 1.5
# args: 1e-20, 3.0
# args: -1000.7, -0.3
# wrt: 0
# note: `math.frexp`, `ldexp`, `modf` and `remainder`
import math


def f(x, y):
    mantissa, exponent = math.frexp(x)
    fraction, whole = math.modf(y * x)
    scaled = math.ldexp(x * x, -3) + math.ldexp(y, exponent % 5)
    return mantissa * mantissa + fraction * whole + scaled + math.remainder(x, y) * x + math.remainder(y, x)
