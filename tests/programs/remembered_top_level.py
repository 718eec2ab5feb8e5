# entry: f
# args: 0.9, 40
# note: functions of the top level that remember, and call each other; a method that does
from functools import cache, lru_cache


@lru_cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@cache
def even(n, flag):
    if n < 2:
        return 1.0 if flag else 2.0
    return 0.5 * odd((n - 1, n - 2), flag) + 0.25


@lru_cache(maxsize=128)
def odd(pair, flag):
    return even(pair[0], not flag) + even(pair[1], flag)


class Walk:
    def __init__(self, p):
        self.p = p

    @lru_cache(maxsize=None)
    def chance(self, i, j):
        if i == 0:
            return 1.0
        if j == 0:
            return 0.0
        return self.p * self.chance(i - 1, j) + (1.0 - self.p) * self.chance(i, j - 1)


def f(x, n):
    return fib(n) * x + even(n, True) * x + Walk(x).chance(n // 4, n // 4)
