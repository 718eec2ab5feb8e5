# entry: f
# args: 0.6
# order: 2
# note: rules, checkpoints, pullbacks and fixed points inside of each other

import math
from gradus import checkpoint, custom_vjp, fixed_point, grad, hessian, hvp, stop_gradient, vjp


@custom_vjp(lambda y, x: lambda g: (g * math.cos(x) * 2.0,))
def wave(x):
    return 2.0 * math.sin(x)


@checkpoint
def part(x):
    y, pullback = vjp(wave, x)
    return y * pullback(x)[0]


def root(a):
    return fixed_point(lambda x, a: 0.5 * (x + a / x), stop_gradient(a), a)


def f(x):
    return part(root(x)) + hvp(wave, x, 2.0) + hessian(lambda t: wave(t) * t)(x) * grad(root)(x)
