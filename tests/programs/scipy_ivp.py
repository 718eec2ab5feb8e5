# entry: f
# args: 1.5, 0.75
# note: a pendulum with friction at three times, of which the first is not where it begins and the last moves

import numpy as np
from scipy.integrate import solve_ivp


def f(a, b):
    slope = lambda t, y, k: np.array([y[1], -k * np.sin(y[0]) - b * y[1] * t])
    found = solve_ivp(slope, (0.0, a), np.array([0.5, b]), t_eval=np.array([0.25, 1.0, a]), args=(a,), rtol=1e-14, atol=1e-14)
    return np.sum(found.y[0] * found.t) + found.y[1, 2]
