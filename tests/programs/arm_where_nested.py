# entry: f
# args: 0.0
# args: 4.0
# by-hand
# closed: [(-1 / x**2 + 1 / x) if x > 0 else 1.0]

import numpy as np


def f(x):
    safe = np.where(x > 0.0, np.log(x), x)
    return np.where(x > 0.0, 1.0 / x, 0.0) + safe
