# entry: f
# args: 0.9, 4
# args: -1.1, 3
# order: 2
# wrt: 0
# note: loops of functions that are called one after the other, in a loop, and by each other


import math


def power(x, n):
    r = x
    while n > 0:
        r = math.sin(r * x)
        n = n - 1
    return r


def even(x, n):
    return power(x, 2) if n == 0 else odd(x * 0.9, n - 1)


def odd(x, n):
    for i in range(2):
        x = x * math.cos(x)
    return x if n == 0 else even(x + 1.0, n - 1)


def f(x, n):
    r = power(power(x, n) * x, n + 1)
    for i in range(n):
        r = r + power(r, 2) * even(x, n)
    return even(r, n) * odd(x, 3)
