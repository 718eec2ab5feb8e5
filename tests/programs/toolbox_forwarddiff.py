# entry: f
# args: 0.6, [0.5, 1.5, -0.7]
# note: forward mode inside of reverse mode, of a loop and of a function of an array

import math
import numpy as np
from gradus import forwarddiff


def loop(x):
    s = x
    for i in range(4):
        s = math.sin(s) * x + 0.1 * i
    return s


def f(x, v):
    a = forwarddiff(loop, x)
    b, c = forwarddiff(lambda v: (np.sum(v * v * v), v * v[0]), v)
    return a * b + np.sum(c * v)
