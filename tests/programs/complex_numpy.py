# entry: f
# args: 0.7, -1.2
# args: -0.4, 0.9
# note: functions of NumPy take complex numbers

import numpy as np


def f(x, y):
    z = x + 1j * y
    w = np.exp(z) + np.sin(z) * np.cos(z) - np.sqrt(z) / np.log(z) + np.conj(z) ** 2
    return np.real(w) * np.imag(w) + np.abs(w) + np.angle(w) + np.real(x)
