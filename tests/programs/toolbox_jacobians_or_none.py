# entry: f
# args: [0.5, 0.2], 2
# wrt: 0
# note: Jacobians with respect to an array that may be None, and of one
import numpy as np
from gradus import hessian, jacfwd, jacrev


def maybe(x):
    return x * x * x if x[0] > 0.0 else None


def f(x, n):
    v = None
    for i in range(n):
        v = x * (i + 1.0)
    a = jacrev(lambda v: v * v)(v) + jacfwd(maybe)(x) * jacrev(maybe)(x)
    return np.sum(a * hessian(lambda v: np.sum(v * v * v))(v))
