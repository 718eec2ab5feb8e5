# entry: f
# args: [0.5, -1.5, 2.5, -0.5]
# note: functions fill arrays of their own, and give them to others; a result that is new may be written to
import numpy as np


def powers(x, n):
    table = np.zeros((n, 4))
    row = np.ones(4)
    for i in range(n):
        table[i] = row
        row = row * x
    return table


def apply(g, v):
    return g(v)


def f(x):
    a = powers(x, 3)
    b = powers(x, 3)
    a[1] += b[2]
    c = apply(lambda v: v + a[1], x)
    c[0] = c[1] * c[2]
    pair = [a, b]
    pair[1] = a * c
    return np.sum(pair[0] * pair[1]) + np.sum(b)
