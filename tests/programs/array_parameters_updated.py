# entry: f
# args: 1.3

import numpy as np


def update(params, grads):
    (W, b) = params
    W -= 0.1 * grads[0]
    b -= 0.1 * grads[1]


def f(x):
    params = (np.ones((2, 2)) * x, np.zeros(2))
    for i in range(3):
        o = params[0] @ np.array([1.0, x]) + params[1]
        update(params, (np.outer(o, o), o * o))
    return params[0].sum() + params[1].sum()
