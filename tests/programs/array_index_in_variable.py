# entry: energy
# args: [[0.0, 0.1, 0.2], [1.0, 0.9, 0.3], [0.2, 1.2, -0.8]]
# note: a tuple of indices in a variable is what is written in the brackets, a list an array of indices
import numpy as np


def energy(x):
    n = x.shape[0]
    pairs = np.triu_indices(n, k=1)
    d = x[:, None, :] - x[None, :, :]
    r2 = np.sum(d ** 2, axis=-1)[pairs]
    corner = (0, slice(1, None))
    rows = [2, 0]
    y = x * 2.0
    y[corner] = 1.0
    return np.sum(1.0 / r2 ** 6 - 1.0 / r2 ** 3) + np.sum(x[corner]) * np.sum(x[rows] ** 2) + np.sum(y ** 2)
