# entry: f
# args: [0.5, -0.25, 1.5, 3.0], 3
# exit: 1
# message: index out of range
# line: 14
# note: NumPy's slice is shorter there
import numpy as np


def f(x, n):
    s = 0.0
    for i in range(n):
        # Out of range at the last one.
        s = s + np.sum(x[i:i + 3])
    return s
