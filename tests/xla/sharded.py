import numpy as np


def layer(x, w):
    y = np.tanh(x @ w)
    return y, y.sum()


def loss(x, w):
    y = layer(x, w)[0]
    return (y * y).sum() / len(x)


def scaled(x, w):
    return (x * 2.0).sum() + (w * w).sum()
