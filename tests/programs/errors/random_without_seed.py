# entry: f
# args: 2.0
# exit: 2
# message: give a seed
# line: 11
# note: a program means the same in each run
import numpy as np


def f(x):
    return x * np.random.default_rng().normal()
