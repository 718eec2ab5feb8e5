# Loops over arrays of a few elements, whose time is that of calling operations. For `gradus compare --overhead`.
import numpy as np


def recurrent(w, x, n):
    for i in range(n):
        x = np.tanh(w @ x)
    return np.sum(x)


def normalised(x, n):
    for i in range(n):
        x = np.sin(x) / np.sum(x)
    return np.sum(x)


def cumulated(x, n):
    for i in range(n):
        x = np.cumsum(x[::-1]) / np.max(x)
    return np.sum(x)
