# entry: f
# args: 0.7
# by-hand
# note: a function within another whose rule calls it: sin(x / 2) of x, and sin(x / 4) / 2 for its derivative
import math
from gradus import custom_vjp, grad


def f(x):
    @custom_vjp(lambda y, a: lambda c: (c * s(a * 0.5),))
    def s(a):
        return math.sin(a)

    return grad(s)(x)
