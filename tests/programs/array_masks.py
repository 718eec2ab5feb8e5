# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]
# note: masks say where a value is written or added, and what is reduced; rows are picked by a mask of the first axis
import numpy as np


def f(x):
    y = x * x
    y[x < 0.0] = 2.0
    y[y > 1.0] += x[0, 0] * x[1, 1]
    y[x[:, 2] > 0.0] += x[1]
    for k in range(3):
        y[y > 2.0 + k] = x[0, 2] * k
    s = y[x > 0.0].sum() * x[1, 0] + np.mean(y[y > 0.5]) + np.prod(x[x > 0.6])
    logs = np.log(x)
    s = s + logs[x > 0.0].sum() * s
    if y[y > 2.0].any():
        s = s * 2.0
    return s + np.sum(y * y * x)
