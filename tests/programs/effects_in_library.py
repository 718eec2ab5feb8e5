# entry: f
# args: 1.5
# note: functions with effects that functions of the library and comprehensions call
from functools import reduce

from gradus import Box


def f(x):
    total = Box(0.0)

    def add(t):
        total.set(total.get() + t * t)
        return t

    a = list(map(add, (x, 2.0 * x)))
    b = [add(t) + total.get() for t in a]
    c = reduce(lambda p, q: add(p) * q, b)
    d = sorted(b, key=lambda t: -add(t))
    e = {k: add(v) for k, v in (("u", x), ("v", c))}
    s = sum(add(t) for t in b)
    return total.get() * c + d[0] * e["v"] + s
