# entry: f
# args: 1.0
# args: 0.0
# order: 2
# by-hand
# closed: [2 * (x - 1) if x > 0.5 else 1.0]
# closed second: 2.0 if x > 0.5 else 0.0
# note: a stationary point in one arm, an infinite derivative in what only the other arm reads

import math


def f(x):
    root = math.sqrt(abs(x - 1.0))
    d = x - 1.0
    if x > 0.5:
        return d * d
    if root > 3.0:
        return root
    return x
