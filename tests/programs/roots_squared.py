# entry: f
# args: 0.0
# args: 0.5
# by-hand
# note: squares of roots are smooth at zero: of norms, lengths, sizes, multiples of them, given to a function and given back by one

import math

import numpy as np
from gradus import grad


def kernel(r):
    return np.exp(-((r / 2.0) ** 2))


def length(x):
    return abs(x) * 2.0


def energy(p):
    v = np.array([p, 0.5 * p])
    r = np.linalg.norm(v)
    z = complex(p, p)
    squares = r * r + math.hypot(p, p, p) ** 2 + abs(z) ** 2 - length(p) ** 2 + np.std(v) ** 2 * 40.0
    distances = np.sqrt((v[:, None] - v[None, :]) ** 2)
    return squares + np.exp(-abs(p) * abs(p)) + kernel(math.sqrt(p * p)) + np.sum(distances**2)


def f(x):
    return grad(energy)(x)
