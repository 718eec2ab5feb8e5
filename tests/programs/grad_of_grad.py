# entry: f
# args: 0.7
# closed: [-cos(x) * x - 3 * sin(x)]
# note: the third derivative in all

import math
from gradus import grad


def g(x):
    return x * math.sin(x)


def f(x):
    return grad(grad(g))(x)
