# entry: f
# args: [0.5, 2.25, 31.0], 1.25
# by: autograd
# note: incomplete gamma and beta functions of their arguments, and what is made of them

import autograd.numpy as np
import autograd.scipy.special as special
import autograd.scipy.stats as stats


def f(x, y):
    total = np.sum(special.gammainc(2.5, x)) + special.betainc(2.0, 3.5, y / 2.0) + stats.chi2.cdf(y, 3)
    total = total + np.sum(special.beta(x, y)) + special.multigammaln(y + 2.0, 3) + special.erfcinv(y)
    return total + np.sum(special.rgamma(x)) + stats.t.cdf(y, 4)
