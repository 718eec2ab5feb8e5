# entry: f
# args: 2.6
# args: -1.3
# closed: [floor(x) + ceil(x) + round(x) + trunc(x) + 4.0]
# note: locally constant functions; math.floor and the like give ints

import math


def f(x):
    return x * math.floor(x) + x * math.ceil(x) + x * round(x) + x * math.trunc(x) + 4.0 * x
