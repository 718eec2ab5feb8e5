# entry: f
# args: 1.3

import numpy as np


def quick(a, lo, hi):
    if lo >= hi:
        return
    p = a[hi]; i = lo
    for j in range(lo, hi):
        if a[j] < p:
            a[i], a[j] = a[j], a[i]
            i += 1
    a[i], a[hi] = a[hi], a[i]
    quick(a, lo, i - 1)
    quick(a, i + 1, hi)


def f(x):
    a = np.array([3.0 * x, 1.0, x * x, 0.2, 2.0])
    b = a
    quick(a, 0, len(a) - 1)
    return (b * np.arange(5.0)).sum()
