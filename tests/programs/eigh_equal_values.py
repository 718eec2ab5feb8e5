# entry: f
# args: 1.0
# by-hand
# note: vectors of equal values depend on the direction, functions of the matrix do not: the tangent is that of expm.
import numpy as np
from gradus import jvp


def exponential(a):
    w, v = np.linalg.eigh(a)
    return (v * np.exp(w)) @ v.T


def f(x):
    a = np.array([[x, 0.0, 0.0], [0.0, x, 0.0], [0.0, 0.0, 3.0]])
    e = np.array([[0.5, 0.3, 0.1], [0.3, -0.2, 0.2], [0.1, 0.2, 0.4]])
    return jvp(exponential, (a,), (e,))[1]
