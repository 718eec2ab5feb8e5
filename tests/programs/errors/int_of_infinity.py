# entry: f
# args: 0.0
# exit: 1
# message: no 64-bit integer value
# line: 12

import math


def f(x):
    y = 1.0 / x
    return x * math.floor(y)
