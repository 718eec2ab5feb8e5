# entry: f
# args: 4.0
# args: 0.5
# note: the number of steps depends on the gradient

from gradus import grad


def loss(x):
    return x * x * x * x * 0.25 - x


def f(x):
    slope = grad(loss)(x)
    steps = 0
    while abs(slope) > 1e-3:
        x = x - 0.05 * slope
        slope = grad(loss)(x)
        steps += 1
    return loss(x) + 0.5 * x
