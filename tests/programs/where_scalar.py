# entry: f
# args: 2.0, 3.0
# args: -2.0, 3.0
# closed: [y if x > 0 else 2 * x, x if x > 0 else 0.0]

import numpy as np


def f(x, y):
    return np.where(x > 0.0, x * y, x * x)
