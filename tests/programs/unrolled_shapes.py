# entry: f
# args: 1.5
# note: shapes that depend on the counters of loops, and on what functions return
import numpy as np


def width(k):
    return 2 * k + 1


def f(x):
    total = 0.0
    widths = [width(k) for k in range(3)]
    for i in range(3):
        a = np.ones(widths[i]) * x
        b = np.full((i + 1, 2), x)
        total += np.sum(a**3) + np.sum(b @ b.T)
    r = range(1, 6, 2)
    for k in r:
        total += np.sum(np.arange(k) * x**2)
    chain = np.array([x])
    for _ in range(3):
        chain = np.concatenate([chain, chain * x])
    return total + np.sum(chain)
