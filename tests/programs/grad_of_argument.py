# entry: f
# args: 0.7, 1
# args: 0.7, 0
# note: grad of a function that is known at run time only

import math
from gradus import grad


def slope(g, x):
    return grad(g)(x)


def f(x, n):
    h = (lambda y: y * y * x) if n == 1 else math.sin
    return slope(h, x) + slope(lambda y: h(y) * y, x)
