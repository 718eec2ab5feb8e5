# entry: f
# args: 1.5
# args: 0.5
# by-hand
# note: functions inside of others in the toolbox, in a file with boxes that they have nothing to do with, or that they make themselves
import math

import numpy as np
from gradus import Box, checkpoint, forwarddiff, grad, hessian, hook, hvp, jacfwd, vmap


def count(xs):
    n = 0.0
    def bump():
        nonlocal n
        n += 1.0
    for x in xs:
        bump()
    return n


def squared(f):
    return lambda t: f(t) ** 2


def own(t):
    b = Box(t)
    def scale(u):
        b.set(b.get() * u)
        return b.get()
    scale(t)
    return scale(2.0 * t)


# own(t) is 2 t³, and the second derivative of sin² is 2 cos 2t.
def f(x):
    curvature = hvp(squared(math.sin), x, x) + hessian(lambda t: squared(math.sin)(t))(x)
    functions = [math.sin, math.cos]
    one = checkpoint(lambda t: sum(squared(g)(t) for g in functions))(x)
    cubes = hvp(own, x, 1.0) + checkpoint(own)(x) + grad(own)(x) + jacfwd(own)(x) + forwarddiff(own, x)
    slopes = np.sum(vmap(grad(lambda t: squared(math.sin)(t)))(np.array([x, 2.0])))
    def checked(g):
        assert g < 1000.0
        return g * count([x, x])
    return curvature + one + cubes + slopes + hook(checked, x)
