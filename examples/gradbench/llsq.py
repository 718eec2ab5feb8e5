# Linear least squares: how far a polynomial with the coefficients x, lowest first, is from the sign function at n points
# of [-1, 1].

import numpy as np
from gradus import grad


def primal(x, n):
    t = np.linspace(-1.0, 1.0, n)
    polynomial = np.zeros(n)
    for i in range(len(x) - 1, -1, -1):
        polynomial = polynomial * t + x[i]
    residual = np.sign(t) - polynomial
    return 0.5 * np.sum(residual * residual)


def gradient(x, n):
    return grad(primal)(x, n)
