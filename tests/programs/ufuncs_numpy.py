# entry: f
# args: [1.3, -2.5, 0.4]
# note: methods of NumPy's operators, `fill`, `flat`, `tolist`, limits of numbers
import numpy as np


def f(x):
    y = x.copy()
    y.fill(x[1])
    t = np.sum(np.add.outer(x, y) * np.multiply.outer(y, x)) + np.sum(np.subtract.outer(x, x) ** 2)
    for v in x.flat:
        t = t + v * v
    p = x.tolist()
    p[0] = 2.0
    t = t + np.add.reduce(x) * np.multiply.reduce(x) * p[0] * p[1] + np.sum(np.add.accumulate(x) * x)
    return t * (1.0 + np.finfo(float).eps) + np.iinfo(int).max % 5 + x.flat[2]
