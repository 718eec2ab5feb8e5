# entry: f
# args: [2.0, 1.0]
# exit: 2
# message: there is no `argsort` of a complex
# line: 12
# note: complex numbers have no order; NumPy sorts them by their real parts

import numpy as np


def f(x):
    return np.sum(np.abs(np.sort(x * 1j)))
