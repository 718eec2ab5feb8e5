# entry: f
# args: 2.0, 3.0
# exit: 2
# message: an array cannot be made of a list
# line: 12
# note: the shape of an array is known when the program is compiled
import numpy as np


def f(x, m):
    l = [x * i for i in range(int(m))]
    return np.sum(np.array(l))
