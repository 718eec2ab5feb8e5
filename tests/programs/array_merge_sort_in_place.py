# entry: f
# args: 1.3

import numpy as np


def sort(a):
    n = len(a)
    if n < 2:
        return
    h = n // 2
    sort(a[:h]); sort(a[h:])
    out = a.copy()
    i = 0; j = h
    for k in range(n):
        if j >= n or (i < h and a[i] < a[j]):
            out[k] = a[i]; i += 1
        else:
            out[k] = a[j]; j += 1
    a[:] = out


def f(x):
    a = np.array([3.0, x, 2.5 * x, 0.3])
    sort(a)
    return (a * np.arange(4.0)).sum()
