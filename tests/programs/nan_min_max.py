# entry: f
# args: 1.0
# by-hand
# note: min and max compare as Python does, np.minimum and np.maximum hand nan on

import math
import numpy as np


def f(x):
    n = math.nan
    return max(x, n), max(n, x), min(x, n), min(n, x), np.maximum(x, n), np.minimum(n, x)
