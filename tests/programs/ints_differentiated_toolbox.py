# entry: f
# args: 2.0
# note: the same by Jacobians, Hessians, tangents and series, each time for the ints that a derivative is asked for in

import numpy as np
from gradus import hessian, hvp, jacfwd, jacrev, jvp, taylor


def curve(n, x):
    return np.array([n * x, n * n * x])


def cubic(n, x):
    return n * n * n * x * x


def chosen(n, i, x):
    return [n * x, n * n * x][i]


def f(x):
    forwards, back = jacfwd(curve)(2, x), jacrev(curve, argnums=0)(2, x)
    both = jacfwd(chosen, argnums=(0, 2))(3, 1, x)
    second = hessian(cubic)(2, x) + hessian(lambda n: cubic(n, x), allow_int=True)(2)
    value, tangent = jvp(chosen, (3, 1, x), (1, None, 1.0))
    along = hvp(lambda n: cubic(n, x), 2, 1)
    terms = taylor(lambda n: n * n * n, 2, 3)
    return np.sum(forwards * back) + both[0] * both[1] + second + value * tangent + along + x * terms[2]
