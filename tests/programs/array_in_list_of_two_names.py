# entry: f
# args: 1.5


import numpy as np


def push(arrays, a):
    arrays.append(a)


def f(x):
    a = np.array([x, 2.0])
    arrays = [a]
    push(arrays, a)
    arrays[0] += 1.0
    return a[0]
