# entry: f
# args: 0.7
# args: -1.25
# note: an array of a comprehension that is too long to be unrolled

import math

import numpy as np


def f(x):
    waves = np.array([math.sin(x * i) / i for i in range(2, 9001, 7)])
    times = np.linspace(0.0, 1.0, 900)
    rows = np.asarray([[x * t, t * t] for t in times])
    kinds = np.array([0 if i == 0 else x * i for i in range(1000)])
    down = np.mean([x * i for i in range(1500, 0, -2)])
    return np.sum(waves) + rows[450, 0] * rows[10, 1] + kinds[3] + kinds[0] + down + rows.shape[0]
