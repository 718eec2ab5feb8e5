# entry: f
# args: 0.6, 4
# args: 1.4, 3
# note: loops, closures, recursion and early exits in one program

import math


def f(x, n):
    def bump(k, y):
        if k <= 0:
            return y
        for i in range(k):
            if y > 2.0:
                return y * 0.25
            y = y + x / (i + 1)
        return bump(k - 2, math.sin(y) + 1.0)

    total = 0.0
    weight = lambda v: v
    for k in range(n):
        z = weight(bump(k, x))
        if z < 0.1:
            continue
        total += z
        while total > 3.0:
            total = total / 2
            if total < 1.0:
                break
        else:
            total += 0.01 * k
    return total
