# entry: f
# args: 0.7
# order: 2
# note: arrays of lists that grow in long loops, to order 2; lists of arrays that are put together
import numpy as np


def f(x):
    parts = [np.array([x, 1.0])]
    for i in range(199):
        parts.append(parts[-1] * np.array([1.0, x]) + 0.01)
    xs = []
    for i in range(150):
        xs.append(x * x * i)
    joined = np.concatenate(parts)[20:60]
    columns = np.stack(parts, 1) @ np.ones(200)
    rows = np.vstack(parts)[::50] + np.stack(parts, axis=1)[:, :4].T
    return np.sum(joined * columns[1]) + np.sum(rows) + np.mean(xs) * np.hstack(parts)[7] + np.dot(xs, xs) * 0.01
