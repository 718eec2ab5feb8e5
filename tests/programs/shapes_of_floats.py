# entry: f
# args: 0.7
# note: shapes that are made of floats which are constants

import math

import numpy as np

T = 1.0
DT = 0.125
STEPS = int(T / DT)


def simulate(k, t, dt):
    n = round(t / dt)
    xs = np.zeros(n + 1)
    xs[0] = 1.0
    for i in range(n):
        xs[i + 1] = xs[i] - k * dt * xs[i]
    return xs[-1]


def decay(k, t=1.0, dt=0.1):
    return np.sum(np.exp(-k * np.arange(0.0, t, dt)))


def square(x):
    n = int(np.sqrt(x.size))
    m = x.reshape(n, math.isqrt(len(x)))
    return np.trace(m @ m) + np.sum(x.reshape(np.prod(m.shape))) + np.sum(x[: math.ceil(len(x) / 2)])


def f(x):
    path = np.zeros(STEPS + 1) + x
    y = simulate(x, 1.0, 0.25) + simulate(x, 2.0, 0.1) + decay(x) + decay(x, dt=0.25)
    y += square(np.arange(1.0, 10.0) * x) + np.sum(np.ones(2**3) * x) + np.sum(np.ones(1 << 2) * x)
    y += np.sum(np.arange(1.0, len(path) + 1) * path) + np.sum(np.linspace(0.0, T, int(T / DT) + 1) * path)
    return y + np.sum(path) + math.floor(np.log2(len(path))) * x
