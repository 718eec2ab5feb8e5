# entry: f
# args: 0.8
# order: 2
# note: the second derivative of where the least value is, and of that value

import numpy as np
from scipy.optimize import minimize


def f(a):
    found = minimize(lambda x: np.exp(a * x[0]) - a * a * x[0] + (x[1] - x[0] * a) ** 2, np.array([0.0, 0.0]))
    return found.x[0] * found.x[1] + found.fun
