# entry: f
# args: 2.0
# exit: 2
# message: np.random.default_rng(seed)
# line: 11
# note: the generator that all share has a state from call to call
import numpy as np


def f(x):
    return x * np.random.randn(3).sum()
