# entry: f
# args: 1.5, 1
# args: -0.5, 0
# note: `is True` and `is False`, of booleans and of what is none
import numpy as np


def scaled(x, flag=False, times=None):
    if flag is False:
        return x
    if times is not None and flag is True:
        return x * times
    return 10.0 * x


def f(x, n):
    a = scaled(x) + scaled(x, True) + scaled(x, True, 3.0) + scaled(x, n) + scaled(x, n > 0, 2.0) + scaled(x, None)
    b = 1.0 if n is not True and (n == 1) is True else 2.0
    return a * b + (100.0 if np.array([1.0, x]) is True else x)
