# entry: f
# args: 2.0, 3.0
# args: -0.5, 1.5
# wrt: 0
# order: 2
# note: stars in calls, in tuples and lists, and in assignments
import math

import numpy as np


def weighted(a, b, c, scale=1.0):
    return (a * b + c) * scale


def total(*args):
    t = 0.0
    for a in args:
        t += a * a
    return t


def forward(f, *args, scale=1.0):
    return f(*args, scale=scale)


def f(x, y):
    pair = (x, y)
    first, *rest = (x, y, x * y)
    *init, last = [x, y, x - y]
    (a, *middle), b = (x, 1.0, 2.0 * y), y
    many = [*pair, 3.0, *rest]
    low, high = min(*pair, 9.0), max(*many)
    dot = 0.0
    for p, q in zip(*(pair, (y, x * x))):
        dot += p * q
    s = weighted(*pair, 2.0) + weighted(1.0, *rest, scale=first) + total(*many, *pair) + forward(weighted, *pair, x, scale=y)
    return s + last * init[0] + middle[1] * a * b + low * high + dot + math.hypot(*pair) + np.sum(np.stack([*pair, *middle]))
