# entry: f
# args: [0.0, 0.0]
# by-hand
# note: norms, deviations and distances have derivative zero where they are zero

import numpy as np


def f(x):
    distances = np.linalg.norm(x[:, None, None] - x[None, :, None], axis=-1)
    r = np.linalg.norm(x)
    return np.exp(-r * r) + np.linalg.norm(x, 3) + np.std(x) + np.sum(distances)
