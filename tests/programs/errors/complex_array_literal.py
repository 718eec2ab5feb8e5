# entry: f
# args: 2.0
# exit: 2
# message: arrays of complex numbers are not supported
# line: 11

import numpy as np


def f(x):
    a = np.array([x * 1j, 1.0])
    return a[0].real
