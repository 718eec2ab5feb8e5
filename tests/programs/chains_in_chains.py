# entry: f
# args: 0.9, 2
# args: 1.2, 3
# order: 2
# wrt: 0
# note: loops in loops, two in one and one after them, and one that goes on in three ways


import math


def f(x, n):
    r = x
    for i in range(n):
        for j in range(i + 1):
            for k in range(n):
                r = math.sin(r * x)
            for k in range(j):
                r = math.cos(r)
        for j in range(2 * n):
            if r > 0.9:
                break
            if j == 1:
                r = r * x
                continue
            r = r + x / 4.0
    return r
