# entry: f
# args: 1.5, 0.5
# args: 2.0, -0.75
# note: systems of equations, least squares and a fit with its covariance

import numpy as np
from scipy.optimize import curve_fit, fsolve, least_squares, root


def model(t, p, q):
    return p * np.exp(-q * t)


def f(a, b):
    x = fsolve(lambda x: np.array([x[0] ** 2 + x[1] ** 2 - a, x[0] - b * x[1]]), np.array([1.0, 1.0]))
    y = root(lambda y, s: np.array([np.exp(y[0]) - s, y[1] * y[0] - b]), np.array([0.5, 0.5]), args=(a,)).x
    z = least_squares(lambda z: np.array([z[0] - a, z[0] * z[1] - b, z[1] - 0.25]), np.array([1.0, 1.0]))
    t = np.linspace(0.0, 2.0, 5)
    data = np.array([2.0, 1.1, 0.9, 0.4, 0.3]) * a + b * t * t * 0.1
    p, covariance = curve_fit(model, t, data, p0=[1.0, 1.0])
    return x[0] * y[1] + z.x[0] * z.x[1] + z.cost + p[0] * p[1] + covariance[0, 1]
