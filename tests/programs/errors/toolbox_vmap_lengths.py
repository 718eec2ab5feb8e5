# entry: f
# args: [1.0, 2.0], [1.0, 2.0, 3.0]
# exit: 2
# message: axes of lengths 2 and 3
# line: 13


import numpy as np
from gradus import vmap


def f(x, y):
    return np.sum(vmap(lambda a, b: a * b)(x, y))
