# entry: f
# args: 1.3

import numpy as np


def f(x):
    q = [np.zeros(2), np.ones(2)]
    q.append(q[0])
    q[2][0] = x
    q[1] = q[0]
    q[1] += 1.0
    t = q.pop()
    t[1] = x * x
    return sum(v.sum() for v in q) + t[0]
