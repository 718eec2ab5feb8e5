# entry: f
# args: 0.7, 2.0
# by: autograd
# note: a Taylor series that stops when its terms are small, by loops and conditions, star imports, fluid-like rolls

from autograd import grad
from autograd.numpy import *
from autograd.numpy.linalg import norm


def taylor_sine(x):
    ans = currterm = x
    i = 0
    while abs(currterm) > 0.001:
        currterm = -currterm * x ** 2 / ((2 * i + 3) * (2 * i + 2))
        ans = ans + currterm
        i += 1
    return ans


def advect(field, steps):
    for _ in range(steps):
        field = field + 0.1 * (roll(field, 1) + roll(field, -1) - 2.0 * field)
    return field


def f(x, y):
    field = where(arange(5) > 2, x * y, sin(x + arange(5.0)))
    return grad(taylor_sine)(x) + norm(advect(field, 3)) + pi * y
