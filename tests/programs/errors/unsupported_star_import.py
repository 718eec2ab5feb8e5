# entry: f
# args: 2.0
# exit: 3
# message: import
# line: 7, 11

from math import *


def f(x):
    return nextafter(x, 1.0)
