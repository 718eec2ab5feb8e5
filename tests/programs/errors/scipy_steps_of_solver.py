# entry: f
# args: 0.5
# exit: 2
# message: give the times that are asked for
# line: 11
import numpy as np
from scipy.integrate import solve_ivp


def f(a):
    return solve_ivp(lambda t, y: -a * y, (0.0, 1.0), np.array([1.0])).y[0, -1]
