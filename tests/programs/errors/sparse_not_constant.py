# entry: f
# args: [0.5, 1.5]
# exit: 2
# message: `sparse`
# line: 13


import numpy as np
from gradus import jacfwd


def f(x):
    return jacfwd(lambda x: x * x, sparse=x[0] > 0.0)(x)[0]
