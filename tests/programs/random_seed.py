# entry: f
# args: [1.0, 2.0]
# note: the generator that NumPy shares, which the top level gives a seed, and a function one of its own
import numpy as np
import numpy.random as npr

np.random.seed(3)
X = np.random.randn(4, 2)
y = X @ np.array([1.0, 2.0]) + 0.1 * npr.normal(size=4)
order = np.random.permutation(4)


def noise(x, seed):
    npr.seed(seed)
    scales = [npr.uniform() for _ in range(3)]
    draw = lambda: npr.randn()
    return x * draw() + sum(scales) * draw()


def f(w):
    return np.sum((X[order] @ w - y[order]) ** 2) + noise(w[0], 1) + noise(w[1], 1) + w[0] * y[order[0]]
