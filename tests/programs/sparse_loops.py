# entry: f
# args: [0.5, -0.3, 1.1, 0.7, -0.9, 0.2, 1.3, -0.6, 0.4, 0.8, -1.1, 0.1, 0.6, -0.2, 0.9, 0.3, -0.7, 1.2]
# by: jax
# note: what loops and branches leave sparse: stores, a sum in steps, a recurrence of two turns, ways by a number and by a value

import jax
import jax.numpy as np
from jax import hessian, jacfwd, jacrev


def steps(x):
    y = np.zeros(18)
    for i in range(1, 17):
        if i % 3 == 0:
            y = y.at[i].set(x[i - 1] * x[i])
        else:
            y = y.at[i].set(np.sin(x[i]) - x[i + 1])
    return y


def squares(x):
    s = 0.0
    for i in range(17):
        s = s + (x[i + 1] - x[i] ** 2) ** 2 * x[i]
    return s


def twice(x):
    for k in range(2):
        x = x * x + np.concatenate((x[1:], x[:1]))
    return x


def by_value(x):
    return jax.lax.cond(x[0] > 0.0, lambda x: np.exp(x) * x, lambda x: x * x, x)


def f(x):
    a, b, c = jacfwd(steps)(x), jacrev(twice)(x), jacfwd(by_value)(x)
    h = hessian(squares)(x)
    return np.sum(a * np.cos(b)) + np.sum(c * c) * 1e-2 + np.sum(h * np.sin(h)) * 1e-2 + h[3, 4] - a[3, 2] + b[17, 0]
