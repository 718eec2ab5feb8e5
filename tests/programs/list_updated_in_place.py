# entry: f
# args: [0.5, -0.25, 1.5]
# note: elements of lists are updated; those that are arrays are written to themselves
import numpy as np


def f(x):
    layers = [np.exp(x), x * 2.0, 3.0]
    layers[0] *= 2.0
    layers[1] += layers[0]
    layers[2] -= x[0]
    layers[1][0] = layers[2]
    nested = [[x + 1.0, x * x], [x - 1.0]]
    nested[0][1] += x[2]
    nested[1][0][1] *= 4.0
    return np.sum(layers[1] * nested[0][1]) + np.sum(nested[1][0] * nested[0][0] * layers[0])
