# entry: f
# args: [0.3, 0.6], 2.5
# precision: single
# note: a loop that runs until a sum of 32 bits is large, a recursion and a function that captures an array of 32 bits
import numpy as np


def total(x, n):
    if n == 0:
        return x * 0.5
    return np.sin(total(x, n - 1)) + x


def f(x, limit):
    def step(y):
        return y * 1.5 + 0.1 * x

    y = total(x, 2)
    while np.sum(y * y) < limit:
        y = step(y)
    return y[0] * y[1]
