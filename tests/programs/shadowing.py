# entry: f
# args: 2.0, 3.0
# closed: [y * y, 2 * x * y]
# note: parameters and locals hide names of the module and each other

import math


def g(x):
    return math.sin(x)


def f(x, y):
    def g(x):
        def h(y):
            return x * y

        return h(y)

    abs = lambda z: g(z) * x
    return abs(y)
