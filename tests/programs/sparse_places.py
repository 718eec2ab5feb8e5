# entry: f
# args: [0.5, -0.3, 1.1, 0.7, -0.9, 0.2, 1.3, -0.6, 0.4, 0.8, -1.1, 0.1, 0.6, -0.2, 0.9, 0.3, -0.7, 1.2], [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 17]
# by: jax
# note: elements at places that the program has, and at places that only the run knows

import jax.numpy as np
from jax import jacfwd


def f(x, places):
    own = np.array([17, 0, 16, 1, 15, 2, 14, 3, 13, 4, 12, 5, 11, 6, 10, 7, 9, 8])
    a = jacfwd(lambda x: x[own] * np.sin(x))(x)
    b = jacfwd(lambda x: x[places] * x)(x)
    c = jacfwd(lambda x: np.zeros(18).at[own].add(x * x).at[own[:3]].set(x[:3] ** 3))(x)
    d = jacfwd(lambda x: np.zeros(18).at[places].add(x * x))(x)
    return np.sum(a * np.cos(b)) + np.sum(c * np.sin(d)) + np.sum(a * c) + a[1, 0] + b[2, 4] + c[16, 2] + d[3, 9]
