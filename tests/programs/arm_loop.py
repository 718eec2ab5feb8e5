# entry: f
# args: 0.0, 5
# args: 1.0, 5
# by-hand
# closed: [2.0 if x == 0 else 1 + 4 * 0.5, None]
# note: a square root made in each iteration and read in some

import math


def f(x, n):
    total = x
    for i in range(n):
        r = math.sqrt(x)
        if i > 0:
            if x > 0.0:
                total += r
            elif i == 2:
                total += x
    return total
