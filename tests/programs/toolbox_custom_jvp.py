# entry: f
# args: 0.7, 1.6
# note: a rule of forward mode, by which reverse mode goes too

import math
from gradus import custom_jvp, grad, jvp


@custom_jvp(lambda args, tangents: (0.0, tangents[0] * math.cos(args[0]) * args[1] + tangents[1] * math.sin(args[0])))
def g(x, y):
    return math.sin(x) * y


def f(x, y):
    a, b = grad(g, (0, 1))(x, y)
    return g(x, x * y) + a * b + jvp(g, (x, y), (1.0, x))[1]
