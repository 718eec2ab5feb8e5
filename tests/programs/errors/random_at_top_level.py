# entry: f
# args: 2.0
# exit: 3
# message: make it in the function
# line: 8
# note: a generator of the top level would go on from call to call
import numpy as np
rng = np.random.default_rng(0)


def f(x):
    return x * rng.normal()
