# entry: f
# args: 1.0, [0.5, -1.25, 2.0, 0.75], 4
# args: 1.0, [0.5, -1.25, 2.0, 0.75], 1
# args: 1.0, [0.5, -1.25, 2.0, 0.75], 0
# wrt: 0
# order: 2
# note: arrays that loops write to, and that others hold before, besides or after
import numpy as np


def f(t, x, n):
    x = x * t
    u = x.copy()
    w = x * 3.0
    for step in range(n):
        for i in range(1, 3):
            w[i] = u[i] + 0.25 * (u[i - 1] * u[i + 1] - u[i])
        u, w = w, u
    s = np.sum(u * w)
    # One array under two names: the loop may write to one of them alone.
    p = u
    q = u
    for i in range(n):
        p = np.where(np.arange(4) == i, p * s, p)
        p[i] = p[i] + q[i] * 0.5
    kept = []
    a = x * 1.0
    for i in range(n):
        a[i] = a[i] * a[0]
        kept.append(a.copy())
        if a[i] > 0.75:
            a[0] = a[0] + 0.125
    for row in kept:
        s += np.sum(row * p)
    b = a.copy()
    for i in range(n):
        if x[i] < 0.0:
            b = b.copy()
            b[i] = s
    both = (a, b.copy())
    for i in range(n):
        b[i] = b[i] * 0.5
    before = x
    for i in range(n):
        c = before.copy()
        for j in range(i):
            c[j] = c[j] * 2.0 + c[i]
        s += c[0] * c[i]
    return s + np.sum(both[0] * 0.125) + np.sum(b * p) + np.sum(q * x) + np.sum(before * w)
