# entry: f
# args: [1.0, 2.0, 0.5], 4
# note: recursion that takes and returns arrays
import numpy as np


def power(x, n):
    if n == 0:
        return np.ones(3)
    if n % 2 == 1:
        return x * power(x, n - 1)
    half = power(x, n // 2)
    return half * half


def f(x, n):
    return np.sum(power(x, n) * x)
