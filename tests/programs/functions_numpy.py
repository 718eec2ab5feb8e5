# entry: f
# args: 0.4
# args: 0.9
# order: 2
# note: NumPy's names on scalars

import numpy as np


def f(x):
    a = np.exp(x) + np.log(x) + np.sqrt(x) + np.square(x) + np.log1p(x) + np.expm1(x)
    b = np.sin(x) + np.cos(x) + np.tan(x) + np.arcsin(x) + np.arccos(x) + np.arctan(x) + np.arctan2(x, 2.0)
    c = np.sinh(x) + np.cosh(x) + np.tanh(x) + np.abs(x) + np.power(x, 2.5)
    d = np.add(x, 1.0) * np.subtract(x, 2.0) / np.multiply(x, 3.0) + np.divide(x, np.negative(x + 1.0))
    return a + b * c + d * np.pi
