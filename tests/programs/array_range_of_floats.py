# entry: f
# args: 1.5
# note: `np.arange` of floats that are constants
import numpy as np


def f(x):
    t = np.arange(0.0, 1.0, 0.25)
    u = np.arange(0.5, 2 * np.pi, 1.0)
    return np.sum(t * x) + np.sum(u) * x * x + len(np.arange(5.0)) * x + np.arange(1, -1.0, -0.3)[3] * x
