# entry: f
# args: 2.0
# exit: 3
# message: nextafter
# line: 11

import math


def f(x):
    return math.nextafter(x, 3.0)
