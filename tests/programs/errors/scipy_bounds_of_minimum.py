# entry: f
# args: 0.5
# exit: 2
# message: `bounds` is not supported
# line: 11
import numpy as np
from scipy.optimize import minimize


def f(a):
    return minimize(lambda x: a * x[0] ** 2, np.array([1.0]), bounds=[(0.5, 2.0)]).x[0]
