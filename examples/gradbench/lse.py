# The logarithm of a sum of exponentials, which are divided by the largest of them lest they overflow. It does not matter by what
# they are divided, so there is no derivative with respect to that.

import numpy as np
from gradus import grad, stop_gradient


def primal(x):
    largest = stop_gradient(np.max(x))
    return largest + np.log(np.sum(np.exp(x - largest)))


def gradient(x):
    return grad(primal)(x)
