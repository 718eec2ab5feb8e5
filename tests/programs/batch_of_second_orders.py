# entry: f
# args: 0.7
# note: a batch of a branch that all iterations take alike behind one that they do not
import numpy as np
from gradus import jacfwd, jacrev, stop_gradient, vmap


def s(p):
    u = 0.0
    for i in range(2):
        u = u * p[0] + i
    return stop_gradient(u) * np.exp(p[0])


def f(x):
    points = np.array([[x + 0.1 * i] for i in range(14)])
    rows = vmap(lambda p: np.array([jacrev(jacfwd(s))(p)[0, 0], 1.0]))(points)
    return np.sum(rows)
