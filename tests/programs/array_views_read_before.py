# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]
# note: views of an array that are not read after it is written to, copies that are
import numpy as np


def scaled(a):
    b = a * 2.0
    return b, b + 1.0


def f(x):
    y = np.exp(x)
    s = y.T[0].sum() + y[1, 2]
    kept = y[0].copy()
    flat = y.flatten()
    some = y[np.array([1, 0])]
    y[0] = y[1] * kept
    y[1, 1:] += kept[:2]
    y = y.reshape(3, 2)
    y[2] = s
    p, q = scaled(y)
    p[0] = q[1]
    return (p * q).sum() + (flat * kept[0]).sum() + (some * x).sum()
