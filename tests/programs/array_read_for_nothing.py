# entry: f
# args: [1.0, 2.0, 3.0, 4.0], [1.5, 0.5, -1.0, 2.0]
# note: what is read last, after a write, is not needed
import numpy as np


def f(x, v):
    t = x[:]
    if x[0] > v[1]:
        t = t + np.tanh(x * v)
    u = t * 1.0
    u[0] = np.sum(t[1:] - u[1:])
    unused = x[0:]
    return 2.0
