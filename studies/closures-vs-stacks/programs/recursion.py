"""Functions that call themselves."""
import math


def powers(x, n):
    if n == 0:
        return 1.0
    return x * powers(x, n - 1)


def squared(x, n):
    if n == 0:
        return 1.0
    half = squared(x, n // 2)
    if n % 2 == 0:
        return half * half
    return half * half * x


def branching(x, n):
    if n < 1:
        return x
    return math.sin(branching(x * 0.9, n - 1)) * branching(x * 1.1, n - 1)


def fibonacci(x, n):
    if n < 2:
        return x
    return fibonacci(x, n - 1) + 0.5 * fibonacci(x, n - 2)


def tail(x, n):
    def go(r, k):
        if k == 0:
            return r
        return go(r * x + 1.0 / k, k - 1)

    return go(1.0, n)


def even(x, n):
    if n == 0:
        return x
    return odd(x * 1.001, n - 1) + 0.01 * x


def odd(x, n):
    if n == 0:
        return 1.0
    return math.sin(even(x, n - 1))


def bisected(x, n):
    def area(a, b, depth):
        if depth == 0:
            return 0.5 * (math.exp(-a * x) + math.exp(-b * x)) * (b - a)
        m = 0.5 * (a + b)
        return area(a, m, depth - 1) + area(m, b, depth - 1)

    return area(0.0, 1.0, n)


def nested(x, n):
    if n == 0:
        return x
    return nested(0.5 * nested(x * 0.9, n - 1), n - 1) + 0.1 * x


def looped(x, n):
    if n == 0:
        return x
    y = x
    for i in range(n):
        y = y * 0.99 + 0.01 * x * x
    return looped(y, n - 1) + y
