# entry: f
# args: 2.0, 2.0
# args: 1.0, 2.0
# by-hand
# closed: [7.5 if x == y else 6.0 if x < y else 9.0, 7.5 if x == y else 9.0 if x < y else 6.0]
# note: ties are split evenly by max, min, maximum and minimum alike

import numpy as np


def f(x, y):
    return max(x, y) + 2.0 * min(x, y) + 8.0 * np.maximum(x, y) + 4.0 * np.minimum(x, y)
