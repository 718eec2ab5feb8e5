# entry: f
# args: 2.0
# exit: 3
# message: `a` shares memory with what is defined outside
# line: 14
from functools import lru_cache


@lru_cache(maxsize=8)
def g(n):
    return [1.0 * n, 2.0]
def f(x):
    a = g(2)
    a[0] = 10.0
    return g(2)[0] * x
