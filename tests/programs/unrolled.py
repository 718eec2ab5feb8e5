# entry: f
# args: [1.0, 2.0, 3.0, 0.5]
# args: [0.5, -1.0, 2.0, 4.0]
# note: loops that are unrolled because a shape or the type of a value depends on their counter
import numpy as np


def size(k):
    return k + 1


def determinant(a):
    a = a.copy()
    n = len(a)
    for k in range(n - 1):
        a[k + 1 :, k] = a[k + 1 :, k] / a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return np.prod(np.diag(a))


def f(v):
    x = v.copy()
    for k in range(3):
        x[k:] -= x[k] * 0.1
    rolled = 0.0
    for i in range(4):
        rolled += np.sum(np.roll(x, i) * v)
    parameters = ((v, 2.0), v[0], v[1:])
    mixed = 0.0
    for i in range(len(parameters)):
        p = parameters[i]
        if isinstance(p, tuple):
            mixed += np.sum(p[0]) * p[1]
        else:
            mixed += np.sum(p * p)
    y = v
    k = 0
    while k < 3:
        k += 1
        if k == 2:
            continue
        y = y[1:] if k < 3 else y * 2.0
    taken = []
    for i in range(10):
        if i == 3:
            break
        taken = [*taken, x[i % 2] * i]
    triangle = 0.0
    for i in range(4):
        for j in range(i + 1):
            triangle += np.sum(v[j : i + 1]) * x[j]
    part = sum(np.sum(v[: size(k)]) for k in range(3))
    rows = np.array([row * row[0] for row in np.outer(v, v) + 2.0])
    d = determinant(np.outer(v, v) + 5.0 * np.eye(4))
    return np.sum(x * x) + rolled + mixed + np.sum(y * y) + np.sum(np.array(taken) ** 2) + triangle + part + np.sum(rows) + d
