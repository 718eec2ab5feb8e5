# Programs with a batch, which XLA splits over several devices (docs/xla.md): a network, k-means, the price of an option.
#
#   $ gradus grad examples/batch.py call_price [0.1,-1.2,0.7,1.5] 100.0 105.0 0.02 0.3 1.0 --wrt 1

import numpy as np
from gradus import grad, vmap


def mse(weights, x, y):
    hidden = np.tanh(x @ weights["w1"] + weights["b1"])
    error = hidden @ weights["w2"] + weights["b2"] - y
    return np.sum(error * error) / len(x)


def train(weights, x, y, rate):
    """A step of gradient descent; the batch is the first axis of x and y."""
    g = grad(mse)(weights, x, y)
    return {name: w - rate * g[name] for name, w in weights.items()}


def kmeans(points, centres):
    """A step of k-means as one of Newton's method: each centre goes to the mean of the points that it is the nearest to."""
    difference = points[:, None, :] - centres[None, :, :]
    distances = np.sum(difference * difference, axis=2)
    nearest = (np.arange(len(centres))[None, :] == np.argmin(distances, axis=1)[:, None]).astype(float)
    gradient = 2.0 * (np.sum(nearest, axis=0)[:, None] * centres - nearest.T @ points)
    return centres - gradient / (2.0 * np.maximum(np.sum(nearest, axis=0), 1.0))[:, None]


def payoff(normal, spot, strike, rate, volatility, years):
    end = spot * np.exp((rate - 0.5 * volatility * volatility) * years + volatility * np.sqrt(years) * normal)
    return np.exp(-rate * years) * np.maximum(end - strike, 0.0)


def call_price(normals, spot, strike, rate, volatility, years):
    """The price of a European call, by as many paths as there are normals."""
    paths = vmap(payoff, in_axes=(0, None, None, None, None, None))
    return np.mean(paths(normals, spot, strike, rate, volatility, years))
