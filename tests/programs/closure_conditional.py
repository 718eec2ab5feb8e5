# entry: f
# args: 0.5, 2.0
# args: -0.5, 2.0
# closed: [cos(x * y) * y if x > 0 else y * y, cos(x * y) * x if x > 0 else 2 * x * y]
# note: closures with other captures meet at a join

import math


def f(x, y):
    if x > 0:
        g = lambda a: math.sin(a * x)
    else:

        def g(a):
            return a * a * x

    return g(y)
