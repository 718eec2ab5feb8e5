# command: grad
# entry: f
# args: 2.0, 3
# exit: 1
# message: no 64-bit integer value
# line: 12

import math


def cells(x):
    return int(math.log(x))


def f(x, n):
    total = 0.0
    for i in range(n):
        total += x * cells(1.0 - i)
    return total
