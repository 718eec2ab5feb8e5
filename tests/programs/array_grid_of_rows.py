# entry: f
# args: 1.3

import numpy as np


def f(x):
    n = 5
    grid = np.zeros((n, n))
    old = grid
    for it in range(4):
        new = grid.copy()
        for i in range(1, n - 1):
            row = new[i]
            for j in range(1, n - 1):
                row[j] = 0.25 * (grid[i - 1, j] + grid[i + 1, j] + grid[i, j - 1] + grid[i, j + 1]) + x
        grid = new
    grid[0, 0] = 1.0
    return grid.sum() + old.sum()
