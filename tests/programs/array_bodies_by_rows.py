# entry: f
# args: 1.3

import numpy as np


def f(x):
    pos = np.array([[0.0, 0.0], [1.0, 0.5], [x, 2.0]])
    vel = np.zeros_like(pos)
    for t in range(5):
        acc = np.zeros_like(pos)
        for i in range(3):
            for j in range(i):
                d = pos[j] - pos[i]
                k = d / (d @ d + 0.5) ** 1.5
                acc[i] += k
                acc[j] -= k
        for p, v, a in zip(pos, vel, acc):
            v += 0.1 * a
            p += 0.1 * v
    return (pos ** 2).sum()
