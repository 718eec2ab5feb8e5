# entry: f
# args: [0.5, -1.0], 0.3
# note: layers of arrays as closures, maxout, and steps of gradient descent that make them anew from their cotangents
import numpy as np
from gradus import grad


def dense(w, b):
    return lambda v: np.tanh(w @ v + b)


def maxout(m, n):
    return lambda v: np.maximum(m(v), n(v))


def softmax(v):
    e = np.exp(v)
    return e / np.sum(e)


def f(v, x):
    w, b, c = np.array([[1.0, 2.0], [3.0, x]]), np.array([x, 1.0]), np.array([-x, 0.5])
    for i in range(3):
        layer = maxout(dense(w, b), dense(w * 0.5, c))
        d = grad(lambda layer: np.sum(softmax(layer(v)) * np.array([1.0, -2.0])))(layer)
        w, b, c = w - 0.1 * (d.m.w + 0.5 * d.n.w), b - 0.1 * d.m.b, c - 0.1 * d.n.b
    return np.sum(w) + b[0] * c[1]
