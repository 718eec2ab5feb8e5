# entry: f
# args: 1.3

import numpy as np


def f(x):
    a = np.linspace(0.0, 1.0, 5) * x
    for v in (a[:2], a[2:]):
        v[0] = v[-1] * 2.0
    b = a[::-1]
    b[0] = 100.0 * x
    c = a[1:4]
    a[2] = x * x
    w = 0.0
    while c[0] < 3.0:
        c += 0.7
        w = w + c[1]
    return a.sum() + b[1] + w
