# command: grad
# entry: f
# args: [1.0, 2.0]
# exit: 2
# message: there is no `broadcast` (-3, 2)
# line: 11
# note: a shape has no negative lengths
import numpy as np
def f(x):
    y = np.exp(x)
    return np.sum(np.tile(y, -3))
