# An ordinary differential equation on [0, 2] by s steps of the classical Runge-Kutta method: y[0]' = x[0] and
# y[i]' = x[i] y[i - 1], from y = 0. The gradient is that of the last element of y.

import numpy as np
from gradus import grad


def slope(x, y):
    return x * np.concatenate([[1.0], y[:-1]])


def primal(x, s):
    h = 2.0 / s
    y = np.zeros(len(x))
    for _ in range(s):
        k1 = slope(x, y)
        k2 = slope(x, y + h / 2.0 * k1)
        k3 = slope(x, y + h / 2.0 * k2)
        k4 = slope(x, y + h * k3)
        y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return y


def last(x, s):
    return primal(x, s)[-1]


def gradient(x, s):
    return grad(last)(x, s)
