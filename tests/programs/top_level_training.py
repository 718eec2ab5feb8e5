# entry: f
# args: 2.0
# note: a loop of the top level takes gradients, and what reads its result is evaluated once it is done
import numpy as np
from gradus import grad

W = np.array([1.0, -2.0])


def loss(w):
    return np.sum((w - target) ** 2)


target = 3.0
for _ in range(3):
    W = W - 0.25 * grad(loss)(W)
target = 4.0
slope = grad(loss)


def f(x):
    return W[0] * x + W[1] + loss(W * x) + slope(W)[0]
