# entry: f
# args: 1.5, 2.0
# args: -0.5, 3.0
# wrt: 0
# order: 2
# note: lists that grow and shrink by a number of values that is known when the program is compiled
import numpy as np


def f(x, y):
    values = []
    for i in range(4):
        values.append(x * i)
    values.extend([y, y * x])
    values += [x]
    last = values.pop()
    values.pop()
    rows = [[x], [y]]
    rows[0].append(y * x)
    while (n := len(values)) > 3:
        values.pop()
    half = np.array([x, y, x * y, 1.0, x, x, y, 2.0])
    while len(half) > 1:
        half = half[::2] * half[1::2] + x
    copied = list(values)
    copied.append(last)
    del last
    s = 0.0
    for e in copied:
        s += e * e
    return s * n + rows[0][1] * rows[0][0] + rows[1][0] + half[0] + np.sum(np.array(values) ** 2)
