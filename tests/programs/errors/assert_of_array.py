# entry: f
# args: 2.0
# exit: 2
# message: truth value
# line: 12
# note: an array has many truth values, where nothing but a comparison says so, too

import numpy as np


def f(x):
    assert np.ones(4) * x < 3.0
    return x
