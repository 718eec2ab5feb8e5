# An ordinary differential equation on [0, 2] by s steps of the classical Runge-Kutta method: y[0]' = x[0] and
# y[i]' = x[i] y[i - 1], from y = 0. The gradient is that of the last element of y; of each step only what goes in is kept for it.

import numpy as np
from gradus import checkpoint, grad


def slope(x, y):
    return x * np.concatenate([[1.0], y[:-1]])


def step(x, y, h):
    k1 = slope(x, y)
    k2 = slope(x, y + h / 2.0 * k1)
    k3 = slope(x, y + h / 2.0 * k2)
    k4 = slope(x, y + h * k3)
    return y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def primal(x, s):
    y = np.zeros(len(x))
    for _ in range(s):
        y = checkpoint(step)(x, y, 2.0 / s)
    return y


def last(x, s):
    return primal(x, s)[-1]


def gradient(x, s):
    return grad(last)(x, s)
