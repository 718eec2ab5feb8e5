# entry: f
# args: [0.5, 2.25, 7.5, 31.0], 1.25
# by: autograd
# note: Bessel functions, incomplete gamma and beta functions, as functions of their arguments

import autograd.numpy as np
import autograd.scipy.special as special
import autograd.scipy.stats as stats
from autograd import grad


def bessel(x):
    return special.j0(x) + special.j1(x) * special.jn(3, x) + special.y0(x) - special.y1(x) * special.yn(2, x)


def modified(x):
    return special.i0(x) * special.i1(x) + special.iv(1.5, x) + special.ive(0.25, x)


def slope(y):
    return grad(lambda t: special.j0(t) * special.i0(t))(y)


def f(x, y):
    total = np.sum(bessel(x)) + np.sum(np.log(modified(x))) + slope(y)
    total = total + np.sum(special.gammainc(2.5, x)) + np.sum(special.gammaincc(3, x)) + special.betainc(2.0, 3.5, y / 2.0)
    total = total + np.sum(special.beta(x, y)) + np.sum(special.betaln(x, 30.0)) + special.multigammaln(y + 2.0, 3)
    total = total + special.erfcinv(y) + np.sum(special.rgamma(x)) + stats.chi2.cdf(y, 3) + stats.poisson.cdf(2, y)
    return total + np.sum(stats.t.cdf(x, 4)) + stats.gamma.cdf(y, 2.0) + stats.beta.cdf(y / 2.0, 2.0, 3.0)
