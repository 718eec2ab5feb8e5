# entry: f
# args: [[0.5, -0.25, 1.5], [2.0, 0.75, -1.0]]
# note: `sort` as a statement
import numpy as np


def f(x):
    flat = x.flatten()
    flat.sort()
    columns = x * x
    columns.sort(axis=0)
    columns[1].sort()
    return np.sum(flat ** 2 * np.arange(6)) + np.sum(columns * x)
