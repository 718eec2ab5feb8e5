# entry: f
# args: [[1.0, 2.0], [3.0, -1.0]], [[0.5, 1.0, -1.0], [2.0, 0.25, 1.5]]
# note: a product of matrices by three nested loops that write to elements
import numpy as np


def f(a, b):
    n, k = a.shape
    m = b.shape[1]
    c = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            for l in range(k):
                c[i, j] += a[i, l] * b[l, j]
    return np.sum(c * c * c)
