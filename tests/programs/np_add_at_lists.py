# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: `add.at` with a list of indices in which one is twice
import numpy as np


def f(x):
    a = np.array([x, x * x, x])
    np.add.at(a, [0, 0, 1], x)
    np.subtract.at(a, [0, 2, 0], [x, 1.0, 2.0])
    b = np.array([[x, 1.0], [2.0, x]])
    np.add.at(b, ([0, 0, 1], [1, 1, 0]), [x, x * x, 3.0])
    return np.sum(a * a) + np.sum(b**3)
