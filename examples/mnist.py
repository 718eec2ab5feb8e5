# A network with one hidden layer that tells ten kinds of pictures of 28 x 28 points apart. `mnist.rs` makes pictures of that shape,
# compiles the gradient once and calls it in a loop:
#
#   cargo run --release --example mnist
#
# With all weights zero each kind is as likely as the others, so the loss is log(10).
#
#   $ gradus run examples/mnist.py untrained
#   2.302585092994046

import numpy as np
from scipy.special import logsumexp


def scores(w1, b1, w2, b2, x):
    return np.maximum(x @ w1 + b1, 0.0) @ w2 + b2


def loss(w1, b1, w2, b2, x, labels):
    z = scores(w1, b1, w2, b2, x)
    return np.mean(logsumexp(z, axis=1) - z[np.arange(len(labels)), labels])


def accuracy(w1, b1, w2, b2, x, labels):
    return np.mean(np.argmax(scores(w1, b1, w2, b2, x), axis=1) == labels)


def untrained():
    w1, w2 = np.zeros((784, 32)), np.zeros((32, 10))
    return loss(w1, np.zeros(32), w2, np.zeros(10), np.ones((3, 784)), np.array([0, 4, 9]))
