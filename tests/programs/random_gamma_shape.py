# entry: f
# args: 2.5
# args: 0.6
# by-hand
# note: the derivative of a gamma or beta number in its shape is that of the quantile, here by mpmath from NumPy's numbers
import numpy as np


def f(a):
    rng = np.random.default_rng(7)
    return np.sum(rng.gamma(a, 2.0, 2) ** 2) + rng.beta(a, 1.5) ** 2 + rng.chisquare(a)
