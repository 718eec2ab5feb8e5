# entry: f
# args: 2.6
# args: -1.3
# closed: [floor(x) + ceil(x) + trunc(x)]
# note: np.floor and the like give floats

import numpy as np


def f(x):
    return x * np.floor(x) + x * np.ceil(x) + x * np.trunc(x)
