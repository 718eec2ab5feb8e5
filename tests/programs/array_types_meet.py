# entry: f
# args: [1.0, 2.0], 3
# args: [200.0, 2.0], 0
# note: an array of ints on one path and of floats on another: what is stored in zeros like it is cut or not
import numpy as np


def either(x):
    z = np.arange(2)
    if x[0] > 100.0:
        z = z * 0.5
    out = np.zeros_like(z)
    out[1] = 1.75
    return np.sum(out * x)


def in_dict(x):
    d = {"z": np.arange(2), "k": 1.0}
    d["z"] = d["z"] * 0.5 if x[0] > 100.0 else d["z"]
    out = np.zeros_like(d["z"])
    out[:] = 2.75
    return np.sum(out * x)


def steps(x, n):
    w = np.array([1, 2])
    for i in range(n):
        w = w - w * x * 0.1
    half = np.zeros_like(w)
    half[0] = 0.5
    return np.sum((w + half) ** 2)


def f(x, n):
    return either(x) + in_dict(x) + steps(x, n)
