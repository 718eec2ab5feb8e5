# entry: f
# args: [0.5, 2.25, 7.5, 31.0], 1.25
# by: autograd
# note: Bessel functions of their arguments

import autograd.numpy as np
import autograd.scipy.special as special
from autograd import grad


def bessel(x):
    return special.j1(x) + special.yn(2, x)


def modified(x):
    return special.i0(x) + special.ive(0.25, x)


def slope(y):
    return grad(special.j0)(y)


def f(x, y):
    return np.sum(bessel(x)) + np.sum(np.log(modified(x))) + slope(y)
