# entry: f
# args: 2.0
# exit: 3
# message: import
# line: 7, 11

from scipy.special import *


def f(x):
    return kv(1.0, x)
