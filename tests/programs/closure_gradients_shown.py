# entry: f
# args: 2.0, 2
# note: the cotangent of a closure as a result, and what it says of captures that are no floats
import math
from gradus import grad, vjp


def f(x, n):
    a = 3.0

    def g(y):
        return y * a * n

    return vjp(lambda g, y: g(y), g, x)[1](1.0), grad(lambda g: g(x))(lambda y: math.sin(g(y)) * n * x)
