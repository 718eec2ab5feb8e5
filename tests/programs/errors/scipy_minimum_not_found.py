# entry: f
# args: 0.5
# exit: 1
# message: has not found a point where the slope is zero
# line: 11
import numpy as np
from scipy.optimize import minimize


def f(a):
    return minimize(lambda x: a * x[0], np.array([1.0])).x[0]
