# entry: f
# args: 0.0
# args: -1.0
# args: 9.0
# order: 2
# by-hand
# closed: [0.5 / sqrt(x) if x > 0 else 3.0]
# closed second: -0.25 * x ** -1.5 if x > 0 else 0.0
# note: both operands of where are computed, one counts, even where the other is nan

import numpy as np


def f(x):
    return np.where(x > 0.0, np.sqrt(x), 3.0 * x)
