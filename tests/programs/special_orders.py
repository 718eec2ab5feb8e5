# entry: f
# args: [0.5, 2.25, 7.5, 31.0], 1.25
# by: autograd
# note: Bessel functions of their arguments

import autograd.numpy as np
import autograd.scipy.special as special
from autograd import grad


def bessel(x):
    return special.j0(x) + special.j1(x) * special.jn(3, x) + special.y0(x) - special.y1(x) * special.yn(2, x)


def modified(x):
    return special.i0(x) * special.i1(x) + special.iv(1.5, x) + special.ive(0.25, x)


def slope(y):
    return grad(lambda t: special.j0(t) * special.i0(t))(y)


def f(x, y):
    return np.sum(bessel(x)) + np.sum(np.log(modified(x))) + slope(y) + special.jn(-3, y)
