# entry: f
# args: 0.9, 3
# args: 1.1, 0
# order: 2
# wrt: 0
# note: loops one after the other, each with what it captures of its own, and one that two branches lead to


import math


def f(x, n):
    r = x
    if x > 1.0:
        s = math.sin(x)
        for i in range(n):
            s = math.sin(s * r) + i
    else:
        s = x * x
        for i in range(n):
            s = s * r
    for i in range(n + 1):
        r = r * math.exp(-s) * x
    return r * s
