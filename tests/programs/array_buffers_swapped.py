# entry: f
# args: [0.5, -1.5, 2.5, -0.5, 1.0], 3
# note: two arrays change places in a loop; neither is written to while the other stands for it
import numpy as np


def f(x, n):
    u = x * 1.0
    v = np.zeros(5)
    for k in range(n):
        for i in range(1, 4):
            v[i] = u[i] + 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        v[0] = v[1]
        v[4] = v[3] * x[4]
        u, v = v, u
    return np.sum(u * u)
