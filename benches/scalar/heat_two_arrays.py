import numpy as np


def f(x, n):
    u = x.copy()
    w = x.copy()
    for step in range(n):
        for i in range(1, len(u) - 1):
            w[i] = u[i] + 0.2 * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, w = w, u
    s = 0.0
    for i in range(len(u)):
        s += u[i] * u[i]
    return s
