# entry: f
# args: 0.4, 5
# note: one grad in each iteration, of a closure over the iteration's values

import math
from gradus import grad


def f(x, n):
    y = x
    for i in range(n):
        y = grad(lambda z: math.sin(z * y) + z * i * 0.1)(x)
    return y
