# entry: f
# args: 0.9
# note: a loop that makes a long list is unrolled after all where its length must be known
import numpy as np


def f(x):
    xs = [x]
    for i in range(600):
        xs.append(xs[-1] * 0.98 + 0.01 * i)
    a = np.array(xs)
    return np.sum(a * a[::-1]) / 601 + a[7]
