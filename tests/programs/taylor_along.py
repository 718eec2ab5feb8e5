# entry: f
# args: [0.3, 0.8], [1.0, -0.5]
# note: derivatives along a direction: of sums, products of matrices, elementwise functions and elements that are written
import numpy as np

from gradus import taylor


def g(x):
    w = np.array([[1.0, 0.5], [0.25, -1.0]])
    y = np.tanh(w @ x) * np.exp(-x)
    y[0] = y[1] * x[0]
    return np.sum(y / (1.0 + x * x))


def f(x, v):
    value, first, second, third = taylor(g, x, 3, direction=v)
    return value + first * second + third
