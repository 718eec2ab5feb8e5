# Small functions of a float.

import math

from gradus import grad


def sincos(x):
    return math.sin(math.cos(x))


# The counted loop.
def power(x, n):
    r = 1.0
    for i in range(n):
        r = r * x
    return r


# How often the loop runs depends on the data.
def power_until(x, bound):
    r = 1.0
    while r < bound:
        r = r * x
    return r


def power_recursive(x, n):
    if n == 0:
        return 1.0
    return x * power_recursive(x, n - 1)


# The cube root by Newton's method, which differentiates on its own.
def newton(a):
    f = lambda x: x * x * x - a
    x = a
    while abs(f(x)) > 1e-9 * a:
        x = x - f(x) / grad(f)(x)
    return x


# The logistic map, started anew from where it was and for longer each time.
def nested(x, n):
    y = 0.5
    total = 0.0
    for i in range(n):
        for j in range(i):
            y = x * y * (1.0 - y)
        total = total + y
        y = 0.5 * y
    return total


def fold(g, start, n):
    acc = start
    for k in range(n):
        acc = g(acc, k)
    return acc


# A power series by a higher-order function.
def series(x, n):
    return fold(lambda acc, k: acc * x + 1.0 / (k + 1), 0.0, n)
