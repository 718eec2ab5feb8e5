# command: grad
# entry: f
# args: 0.5
# exit: 1
# message: the solution has no derivative
# line: 12
import numpy as np
from scipy.optimize import minimize


def f(a):
    return minimize(lambda x: np.sum(np.abs(x - a)), np.array([0.25, 0.75]), method="Nelder-Mead").x[0]
