# entry: f
# args: 0.3, 25

import math


def step(y, x):
    if y > 0.5:
        return y - x * math.sin(y)
    return y + x * math.cos(y)


def f(x, n):
    y = 0.0
    for _ in range(n):
        y = step(y, x)
    return y
