# entry: f
# args: -1.0
# exit: 1
# message: no 64-bit integer value
# line: 11

import math


def f(x):
    return int(math.sqrt(x))
