"""Arrays of NumPy. The float of the derivative scales them."""
import numpy as np


def waves(x, n):
    return np.sum(np.sin(np.linspace(0.0, 1.0, n) * x))


def layers(x, n):
    y = np.linspace(-1.0, 1.0, 1000) * x
    for i in range(n):
        y = np.tanh(y * 1.1 + 0.1)
    return np.sum(y * y)


def network(x, n):
    w = np.reshape(np.linspace(-0.3, 0.3, 32 * 32), (32, 32)) * x
    y = np.ones(32)
    for i in range(n):
        y = np.tanh(w @ y + 0.1)
    return np.sum(y)


def products(x, n):
    a = np.reshape(np.linspace(-0.2, 0.2, 16 * 16), (16, 16)) * x
    r = np.eye(16)
    for i in range(n):
        r = r @ a + np.eye(16) * 0.5
    return np.sum(r)


def softmax(x, n):
    y = np.linspace(-1.0, 1.0, n) * x
    e = np.exp(y - np.max(y))
    p = e / np.sum(e)
    return -np.sum(p * np.log(p))


def heat(x, n):
    u = np.sin(np.linspace(0.0, 3.0, 200)) * x
    for i in range(n):
        u = u + 0.2 * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1))
    return np.sum(u * u)


def descent(x, n):
    a = np.linspace(0.5, 1.5, 100)
    w = np.zeros(100)
    for i in range(n):
        w = w - 0.1 * (a * w - x)
    return np.sum(w * w)


def read(x, n):
    a = np.linspace(0.0, 1.0, n) * x
    y = 0.0
    for i in range(n):
        y = y * 0.9 + a[i] * a[i]
    return y


def pairs(x, n):
    a = np.linspace(0.0, 1.0, n) * x
    total = 0.0
    for i in range(n):
        for j in range(n):
            d = a[i] - a[j]
            total = total + d * d / (1.0 + d * d)
    return total


def likelihood(x, n):
    data = np.linspace(-2.0, 2.0, n)
    z = (data - 0.1) / x
    return np.sum(-0.5 * z * z - np.log(x))


def scanned(x, n):
    a = np.linspace(0.1, 1.0, n) * x
    return np.sum(np.cumsum(a) * np.sin(a))


def recurrent(x, n):
    w = np.reshape(np.linspace(-0.5, 0.5, 64), (8, 8)) * x
    h = np.zeros(8)
    for i in range(n):
        h = np.tanh(w @ h + 0.01 * i)
    return h @ h


# The gradient is an array here, of the first order alone.
def regression(w, a, n):
    loss = 0.0
    for i in range(n):
        loss = loss + np.sum((np.tanh(w * a) - 0.1 * i) ** 2)
    return loss
