# entry: f
# args: [0.5, 1.5, -1.0, 2.0, 0.25, -0.75, 1.25, 3.0, -2.0, 0.5], 0.1
# note: rolls, differences of slices and sums with parts of short lists, whose parts kernels read by themselves
import numpy as np


def step(u, k):
    return u + k * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1)) * np.sin(u)


def f(x, k):
    u = x
    for i in range(3):
        u = step(step(u, k), 0.5 * k)
    d = u[1:] - u[:-1] ** 2
    v = np.concatenate((u[5:], k * np.ones(2), u[:3], x[:1]))
    w = v.copy()
    w[2:6] += d[:4] * v[:4]
    w[0:5] += w[5:10] * d[3]
    return np.sum(d * d) + np.sum(w * np.roll(w, 3)) + np.max(v)
