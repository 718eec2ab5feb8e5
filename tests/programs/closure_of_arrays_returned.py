# entry: f
# args: 1.5, 3
# order: 2
# note: a function that is returned keeps the arrays that the function around it made
import numpy as np


def weights(n):
    a, b = np.array([1.0, 2.0]), np.array([4.0, 5.0])
    if n > 2:
        return lambda k: np.sum(a) + 10.0 * k * np.sum(b)
    return lambda k: a[n - 1] * k + b[n - 1]


def f(x, n):
    total = 0.0
    for i in range(n):
        total += weights(i + 1)(x * i) * x
    return total
