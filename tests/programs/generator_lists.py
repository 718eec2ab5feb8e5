# entry: f
# args: 2.0
# args: 1.3
# order: 2
# note: what takes all that a generator yields, and the first of an infinite one
import itertools
from itertools import islice


def halves(x, n):
    while n > 0:
        yield x
        x = x / 2.0
        n -= 1


def newton(a):
    t = a
    while True:
        yield t
        t = 0.5 * (t + a / t)


def pairs(xs):
    for i in range(len(xs)):
        for j in range(i):
            yield xs[i], xs[j]


def named(x):
    yield "a", x
    yield "b", x * x


def nothing():
    return
    yield


def f(x):
    s = sum(halves(x, 3)) + max(halves(x, 2)) * len(list(halves(x, 4)))
    a, b, c = halves(x, 3)
    s += a * b + c + sorted(halves(x, 3))[0]
    s += sum(u * v for u, v in pairs([x, x * x, 3.0]))
    d = {k: v for k, v in named(x)}
    s += d["a"] * d["b"] + sum([*halves(x, 2)]) + sum(nothing())
    kept = halves(x, 2)
    s += sum(kept)
    for u, v in zip(halves(x, 3), [1.0, 2.0]):
        s += u * v
    for t in islice(newton(x), 2, 5):
        s += t
    if any(v > 100.0 for v in halves(x, 2)):
        s = 0.0
    return s + list(itertools.islice(newton(x), 5))[-1]
