# entry: f
# args: 0.7
# note: a cache of a function that does more than to give a value
from functools import lru_cache


def f(x):
    n = 0

    @lru_cache(None)
    def g(k):
        nonlocal n
        n += 1
        return k * x

    return (g(1) + g(1) + g(2)) * n
