# entry: f
# args: 2.0
# exit: 2
# message: argument
# line: 11

import math


def f(x):
    return math.sin(x, 1.0)
