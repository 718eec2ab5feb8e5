# entry: f
# args: [3.0, 1.5, 2.0, 0.5]
# note: math.inf as the start of a running minimum

import math


def f(xs):
    best = math.inf
    total = 0.0
    for x in xs:
        if x < best:
            best = x
        total += best * best
    return total
