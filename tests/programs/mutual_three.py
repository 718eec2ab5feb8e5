# entry: f
# args: 0.5, 10

import math


def f(x, n):
    return math.sin(g(x, n - 1)) if n > 0 else x


def g(x, n):
    return h(x, n - 1) * x + 1.0 if n > 0 else 2.0 * x


def h(x, n):
    return f(x, n - 1) + f(x, n - 2) if n > 1 else x * x
