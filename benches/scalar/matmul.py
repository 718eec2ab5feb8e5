import numpy as np


def f(x, n):
    a = x[: n * n].reshape(n, n)
    b = x[n * n :].reshape(n, n)
    c = np.zeros((n, n))
    for i in range(n):
        for k in range(n):
            for j in range(n):
                c[i, j] += a[i, k] * b[k, j]
    s = 0.0
    for i in range(n):
        for j in range(n):
            s += c[i, j] * c[i, j]
    return s
