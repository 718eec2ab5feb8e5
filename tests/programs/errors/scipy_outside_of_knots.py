# entry: f
# args: 3.5
# exit: 1
# message: outside of the range
# line: 12
import numpy as np
from scipy.interpolate import interp1d


def f(a):
    x = np.array([0.0, 1.0, 2.0])
    return interp1d(x, x * x)(a) * 1.0
