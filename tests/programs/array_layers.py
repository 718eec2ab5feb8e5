# entry: f
# args: 1.3

import numpy as np


class Layer:
    def __init__(self, n, m, s):
        self.W = np.ones((n, m)) * s
        self.b = np.zeros(n)
        self.dW = np.zeros((n, m))
    def forward(self, v):
        self.v = v
        self.o = np.tanh(self.W @ v + self.b)
        return self.o
    def backward(self, g):
        d = g * (1.0 - self.o ** 2)
        self.dW[:] = np.outer(d, self.v)
        self.W -= 0.1 * self.dW
        self.b -= 0.1 * d
        return self.W.T @ d


def f(x):
    layers = [Layer(3, 2, x), Layer(2, 3, 0.5)]
    for t in range(3):
        v = np.array([1.0, -0.5])
        for l in layers:
            v = l.forward(v)
        g = v - 1.0
        for l in reversed(layers):
            g = l.backward(g)
    return (v ** 2).sum() + layers[0].W[0, 1]
