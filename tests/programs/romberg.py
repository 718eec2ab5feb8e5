# entry: f
# args: 1.5
# note: recursion with two recursive calls in one expression, and a loop at the leaves

import math


def trapezoid(x, n):
    h = x / n
    s = 0.5 * (1.0 + math.exp(-x * x))
    for i in range(1, n):
        s += math.exp(-((i * h) ** 2))
    return s * h


def romberg(x, k, m):
    if m == 0:
        return trapezoid(x, 2**k)
    return (4**m * romberg(x, k, m - 1) - romberg(x, k - 1, m - 1)) / (4**m - 1)


def f(x):
    return romberg(x, 4, 4)
