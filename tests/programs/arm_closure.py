# entry: f
# args: 0.0
# args: 4.0
# order: 2
# by-hand
# closed: [0.5 / sqrt(x) if x > 0 else 2 * x + 1]
# closed second: -0.25 * x ** -1.5 if x > 0 else 2.0
# note: the arms are closures, chosen by a value

import math


def f(x):
    root = math.sqrt(x)
    g = (lambda: root) if x > 0.0 else (lambda: x * x + x)
    return g()
