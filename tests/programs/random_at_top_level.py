# entry: loss
# args: [1.0, 2.0]
# note: data that the top level draws, and a model that draws its first weights
import numpy as np
from numpy.random import Generator

rng = np.random.default_rng(5)
X = rng.normal(size=(4, 2))
noise = 0.1 * rng.standard_normal(4)
y = X @ np.array([1.0, 2.0]) + noise
order = np.arange(4)
rng.shuffle(order)


class Model:
    def __init__(self, rng: Generator):
        self.rng = rng
        self.bias = rng.normal()

    def __call__(self, w, x):
        return x @ w + self.bias * self.rng.uniform(0.0, 0.1)


def loss(w):
    model = Model(np.random.default_rng([5, 6]))
    return np.sum((model(w, X[order]) - y[order]) ** 2) + model(w, X[0])
