# entry: f
# args: [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [1, 0, 1, 1], [2, 0, -1, 2]
# note: arrays of indices, with repetitions and negative ones, read and written
import numpy as np


def f(x, rows, columns):
    picked = x[rows, columns]
    y = x * 2.0
    y[rows[0], columns[1]] += picked[3]
    table = x[:, 1]
    table = table * 1.0
    table[rows[:2]] = picked[:2] * picked[2:]
    return np.sum(picked * picked) * np.sum(table) + np.sum(y[1] * y[0])
