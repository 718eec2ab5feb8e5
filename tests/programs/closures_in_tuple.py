# entry: f
# args: 0.5, 2.0
# closed: [cos(x) + 1.0 / y + y, x / -y**2 + x]

import math


def f(x, y):
    fs = (lambda a: math.sin(a), lambda a: a / y, lambda a: a * y)
    return fs[0](x) + fs[1](x) + fs[2](x)
