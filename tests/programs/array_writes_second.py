# entry: f
# args: 0.75
# order: 2
# note: the second derivatives of slices that move, masks, sorting in place and updates of lists
import numpy as np


def slices(x):
    y = x * x
    for i in range(1, 5):
        y[i:i + 2] = y[i - 1:i + 1] * np.sum(x[i - 1:i + 2] * y[i])
        y[i - 1:i + 1] += x[i:i + 2]
    return np.sum(y)


def masks(x):
    y = x * x
    y[x < 0.0] = x[0] * x[3]
    y[y > 1.0] += x[1] * x[2]
    return np.sum(y * x) + y[x > 0.0].sum() * np.mean(x[x > -1.0]) + np.prod(x[x > 0.5])


def order(x):
    y = x * x[::-1]
    y.sort()
    return np.sum(y * y * np.arange(6))


def lists(x):
    layers = [x * x, np.exp(x)]
    layers[0] *= layers[1]
    layers[1] += layers[0]
    layers[1][2] *= layers[0][1]
    return np.sum(layers[0] * layers[1])


def f(t):
    x = np.array([0.5, -0.25, 1.5, 2.0, 0.875, -1.0]) * t + np.array([0.0, 0.5, -0.25, 0.125, 1.0, t])
    return slices(x) + masks(x) + order(x) + lists(x)
