# entry: f
# args: 1.3

import numpy as np


def f(x):
    n = 4
    A = np.eye(n) * 3.0 + x * np.ones((n, n)) * 0.2
    b = np.arange(1.0, n + 1.0)
    y = np.zeros(n); r = b - A @ y; p = r.copy(); rs = r @ r
    for i in range(n):
        Ap = A @ p
        a = rs / (p @ Ap)
        y += a * p
        r -= a * Ap
        new = r @ r
        p *= new / rs
        p += r
        rs = new
    z = y
    z[0] += 1.0
    return (y * b).sum()
