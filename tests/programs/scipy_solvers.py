# entry: f
# args: [[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]], [[1.0, 0.5, -0.5], [0.3, 2.0, 0.1], [0.2, -0.4, 1.5]], [1.0, -2.0, 0.5]
# by: autograd
# note: scipy.linalg, and convolutions of scipy.signal

import autograd.numpy as np
import autograd.scipy.linalg as linalg
import autograd.scipy.signal


def f(a, b, v):
    s = a @ a.T
    x = linalg.solve_sylvester(a, b, b) + linalg.sqrtm(s)
    y = linalg.solve_triangular(b, v, lower=True) + linalg.solve_triangular(a, v, trans=1)
    z = linalg.solve_banded((1, 1), a, v)
    image = autograd.scipy.signal.convolve(a, b[:2, :2], mode="valid")
    return np.sum(np.sin(x)) + np.sum(y * z) + np.sum(image ** 2)
