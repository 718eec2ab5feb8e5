# entry: f
# args: 1.2
# order: 2
# note: the expression whose sixth derivative the design was measured on

import math
from gradus import grad


def g(x):
    return math.exp(math.sin(x) * x) / (1.0 + x * x)


def f(x):
    return grad(grad(g))(x)
