# entry: f
# args: 2.0, 0.5
# note: names of itertools, functools and operator that programs use now and then

import functools
import itertools
import operator


def iterated(x, y):
    xs = [x, y, x * y, x - y, x + 3.0]
    chosen = [a * a for a in itertools.compress(xs, [1, 0, 1, 1, 0])]
    small = [a for a in itertools.filterfalse(lambda i: i % 3 == 0, range(7))]
    left, right = itertools.tee(xs)
    return sum(chosen) + x * sum(small) + sum(a * b for a, b in zip(left, right))


def ordered(x, y):
    pairs = [(3, x), (1, y), (2, x * y), (0, x / y)]
    by = sorted(pairs, key=functools.cmp_to_key(lambda a, b: b[0] - a[0]))
    return sum(k * p[1] ** 2 for k, p in enumerate(by))


def operated(x, y):
    n = operator.indexOf([4, 5, 6], 6) + operator.countOf((1, 2, 1), 1)
    return operator.call(lambda a, b: a * b, x, y) * n + operator.index(3) * x


def f(x, y):
    return iterated(x, y) + ordered(x, y) + operated(x, y)
