# entry: f
# args: 0.7
# note: the rule is differentiated in turn, in reverse and forwards

import math
from gradus import custom_vjp, grad, jvp


@custom_vjp(lambda y, x: lambda g: (g * y * 2.0 * x,))
def bell(x):
    return math.exp(x * x)


def f(x):
    return bell(x) * x + grad(bell)(x) + jvp(bell, (x,), (2.0,))[1]
