import numpy as np


def f(x, n):
    h = np.zeros(n, dtype=int)
    for i in range(len(x)):
        k = int(x[i] * n)
        h[k] += 1
    s = 0
    for k in range(n):
        s += h[k] * h[k]
    return float(s)
