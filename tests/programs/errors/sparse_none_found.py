# entry: f
# args: 0.5
# exit: 2
# message: no entry of this matrix of 3000 × 3000 was found to be zero
# hint: too large
# line: 14


import numpy as np
from gradus import jacfwd


def f(x):
    return jacfwd(np.cumsum, sparse=True)(x * np.ones(3000))[0]
