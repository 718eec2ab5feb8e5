# entry: f
# args: 1.5, 0.5
# args: 0.75, 2.0
# note: where a slope is zero; with respect to what is captured and to `args`, also of the least value

import numpy as np
from scipy.optimize import minimize, minimize_scalar


def bowl(x, a, b):
    return (x[0] - a) ** 2 + b * (x[1] - x[0] ** 2) ** 2 + 0.1 * np.cosh(x[1])


def f(a, b):
    first = minimize(bowl, np.array([0.5, 0.5]), args=(a, b))
    second = minimize(lambda x: np.exp(x[0] * a) + x[0] ** 2 * b + (x[1] - x[0]) ** 2, np.zeros(2), method="Nelder-Mead")
    one = minimize_scalar(lambda t: (t - a) ** 2 + b * np.exp(-t))
    within = minimize_scalar(lambda t: (t * t - a) ** 2 + 0.1 * b * t, bounds=(0.1, 3.0))
    return first.x[0] * first.x[1] + first.fun + second.x[0] - second.fun + one.x * one.fun + within.x
