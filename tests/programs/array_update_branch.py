# entry: f
# args: [0.5, -1.5, 2.5, -3.5], [1.0, 2.0, 3.0, 4.0]
# note: elements are written on some ways through a loop only, and an argument of the entry is written to
import numpy as np


def f(x, y):
    for i in range(len(x)):
        if x[i] < 0.0:
            x[i] = y[i] * y[i]
        elif x[i] > 2.0:
            continue
        x[i] += x[i] * y[0]
    return np.sum(np.log(x) * y)
