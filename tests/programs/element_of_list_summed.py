# entry: f
# args: 0.7, [1.0, 2.0, 3.0]
# note: an element of a list whose length only the run knows, and of an instance, as the argument of a reduction
import numpy as np


class Rows:
    def __init__(self, first):
        self.first = first

    def __getitem__(self, i):
        return self.first * (i + 1.0)


def f(x, ys):
    rows = [ys]
    t = x
    while t < 5.0:
        rows.append(ys * t)
        rows = rows[-2:]
        t = t * 1.9
    return np.sum(rows[0]) + np.max(rows[1]) * np.mean(Rows(ys)[2])
