# entry: f
# args: 1.0, 2.0
# args: -0.5, 0.25
# note: a generator is one object: draws in a loop, in a branch and in a helper follow each other
import numpy as np


def helper(rng, mu, sigma):
    return rng.normal(mu, sigma)


def f(mu, sigma):
    rng = np.random.default_rng(7)
    x = mu + sigma * rng.normal(size=4)
    total = 0.0
    for i in range(3):
        if rng.random() < 0.5:
            total = total + helper(rng, mu, sigma) ** 2
        else:
            total = total * sigma + rng.standard_normal()
    same = rng
    y = rng.normal(np.array([1.0, 2.0]) * mu, sigma)
    return np.sum(x**2) + total + np.mean(rng.uniform(mu, sigma, 3) ** 3) + same.exponential(sigma) * np.sum(y)
