import numpy as np


def f(x, n):
    a = (x[:n] * 4.0).astype(int)
    b = (x[n : 2 * n] * 4.0).astype(int)
    row = np.arange(n + 1)
    for i in range(n):
        before = row[0]
        row[0] = i + 1
        for j in range(n):
            cost = before if a[i] == b[j] else before + 1
            before = row[j + 1]
            row[j + 1] = min(cost, before + 1, row[j] + 1)
    return float(row[n])
