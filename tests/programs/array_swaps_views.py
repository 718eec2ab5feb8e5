# entry: f
# args: 1.3

import numpy as np


def f(x):
    m = np.array([[x, 2.0], [3.0, x * x]])
    m[0], m[1] = m[1], m[0]
    return (m * np.array([[1.0, 2.0], [3.0, 4.0]])).sum()
