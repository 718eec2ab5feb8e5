# entry: f
# args: 0.7, 3
# args: 1.3, 2
# wrt: 0
# note: decorators that cache, itemgetter, math on whole numbers, starts of sums and counts
import functools
import math
import operator
from functools import lru_cache


@lru_cache(maxsize=None)
def power(x, n):
    return 1.0 if n == 0 else x * power(x, n - 1)


@functools.cache
def twice(x):
    return 2.0 * x


def logged(f):
    @functools.wraps(f)
    def inner(*args):
        return f(*args) + 1.0

    return inner


@logged
def square(x):
    @lru_cache
    def own(y):
        return y * x

    return own(x)


def f(x: float, n: int) -> float:
    xs = [x, 2.0, x * x]
    y = power(x, n) + twice(x) + square(x)
    pairs = sorted([(x, 3.0), (2.0, 1.0), (x * x, 2.0)], key=operator.itemgetter(1), reverse=True)
    y += pairs[0][0] * pairs[1][0] + sum(operator.itemgetter(2, 0)(xs)) * x
    whole = math.comb(n + 2, 2) + math.perm(5, n) + math.gcd(12, 18 * n, -27) + math.lcm(4, 6 * n) + math.factorial(n)
    y += (whole + math.isqrt(99 * n) + math.comb(2, 3) + operator.lshift(n, 2)) * x + math.dist([x, 1.0], [0.5, x])
    y += x if math.isclose(0.1 + 0.2, 0.3) and not math.isclose(x, x + 0.1) else 0.0
    q, r = divmod(n * 7, 4)
    y += q * x + r + len(sum([[x], [2.0]], [])) * math.prod(xs, start=x) + math.fsum(xs) + sum(map(operator.mul, xs, xs))
    for i, v in enumerate(xs, start=2):
        y += i * v
    return y if all(v > 0.0 for v in xs) and any([False, True]) else -y
