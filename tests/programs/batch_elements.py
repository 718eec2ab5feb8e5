# entry: f
# args: [[0.5, 1.5, -0.7, 0.1, -1.2, 2.2, 0.9], [0.4, 1.1, 0.35, -2.1, 0.65, 1.7, -0.2], [0.8, 1.3, -0.9, 0.25, 2.6, -1.6, 0.45], [1.05, -0.3, 0.15, 1.9, -1.4, 0.55, 0.95]]
# note: loops over elements in two dimensions, over columns, downwards, in steps, into places that are computed, and from such

import numpy as np


def f(x):
    y = np.zeros((4, 7))
    for i in range(4):
        for j in range(7):
            y[i, j] = np.sin(x[i, j]) * (i + 2 * j)
    z = np.zeros((4, 7))
    for j in range(7):
        z[:, j] = np.cos(x[:, j]) * y[:, 6 - j]
    w = np.ones(28)
    flat = np.reshape(x, 28)
    for i in range(26, 1, -2):
        w[i] = flat[i] * flat[i] + flat[27 - i]
        w[i] *= np.exp(-flat[i + 1])
    h = np.zeros(9)
    for i in range(28):
        h[(i * 5) % 9] += flat[(3 * i + 1) % 28] * w[i]
    last = 0.0
    for i in range(28):
        last = np.tanh(flat[i])
    return np.sum(y * z) + np.sum(w * w) + np.sum(h * h * h) + last
