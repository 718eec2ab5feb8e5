# entry: f
# args: 0.5, 9
# note: the function that is called changes with the iteration

import math


def f(x, n):
    g = math.sin
    y = x
    for i in range(n):
        y = g(y + x)
        if i % 3 == 0:
            g = math.cos
        elif i % 3 == 1:
            g = lambda z: z * x
        else:
            g = math.tanh
    return y
