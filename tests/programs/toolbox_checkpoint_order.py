# entry: f
# args: 0.7
# order: 2
# note: nested checkpoints, and derivatives of derivatives of them

import math
from gradus import checkpoint, grad, jvp


def g(x):
    inner = checkpoint(lambda a: math.sin(a) * a)
    return inner(x) * inner(x * x)


def f(x):
    outer = checkpoint(g)
    return grad(outer)(x) + jvp(outer, (x,), (1.0,))[1] * x
