# entry: f
# args: 0.9
# args: -0.4
# order: 2
# note: loops that make long lists are unrolled after all where the length must be known
import numpy as np


def f(x):
    xs = [x]
    for i in range(600):
        xs.append(xs[-1] * 0.98 + 0.01 * i)
    a = np.array(xs)
    mixed = [(0, x)]
    for i in range(600):
        mixed.append((x * i, i) if i == 7 else (i, x))
    return np.sum(a * a[::-1]) / 601 + mixed[8][0] * mixed[600][0] + a[7]
