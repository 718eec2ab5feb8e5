# entry: f
# args: 2.0
# exit: 1
# message: have the same sign
# line: 10
from scipy.optimize import brentq


def f(a):
    return brentq(lambda x: x * x + a, -1.0, 1.0)
