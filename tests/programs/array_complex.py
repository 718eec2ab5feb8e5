# entry: f
# args: [1.5, -0.5]
# note: arrays of complex numbers
import numpy as np


def f(x):
    z = x * 2j + 1.0
    w = (z * z - 3.0 / z + z / (1 + 2j)) * np.conj(z)
    u = np.exp(w * 0.01) + np.array([1 + 2j, 3.0])
    a = np.array([[1.0, 2.0], [3.0, 4.0]])
    v = a @ u + u @ a
    s = np.sum(v) + np.mean(np.real(u)) + v[0] + len(v)
    return abs(s) + np.sum(np.abs(w)) + np.sum(np.imag(u**2)) + u.shape[0] + np.abs(np.log(z)).sum()
