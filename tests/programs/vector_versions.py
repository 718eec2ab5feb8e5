# entry: f
# args: 1.1, 5
# args: 0.7, 9
# note: lists of numbers of which old versions are kept, read and changed besides the latest
from typing import NamedTuple


class Point(NamedTuple):
    x: float
    y: float
    n: int


def powers(x, n):
    xs = [x]
    i = 0
    while i < n:
        xs = xs + [xs[-1] * x + i]
        i += 1
    return xs


def kept(x, n):
    versions = powers(x, n)
    old = versions
    other = versions[:]
    total = 0.0
    i = 0
    while i < n:
        versions = [v for v in versions]
        versions[i] = versions[i] * old[n - i] + x
        if i % 3 == 1:
            other = versions + [old[i]]
        total += old[i] * versions[i] + other[-1]
        i += 1
    return total + old[0] * versions[-1] + len(other)


def points(x, n):
    ps = [Point(x, 1.0, 0)]
    i = 0
    while i < n:
        p = ps[-1]
        ps.append(Point(p.x * x, p.y + p.x, p.n + 1))
        i += 1
    total = 0.0
    for p in ps:
        total += p.x * p.y * p.n
    first, *rest = ps
    return total + first.y * rest[-1].x


def ends(x, n):
    q = [x, 2.0]
    total = 0.0
    i = 0
    while i < n:
        v = q.pop(0)
        q.append(v * q[0])
        q.insert(0, v + i)
        q.insert(1, x)
        total += q.pop() * v
        if i % 2 == 0:
            q = q[1:]
        i += 1
    return total + sum(q) + q[len(q) // 2]


def below(xs, i):
    return xs[i] if i == 0 else xs[i] * 0.5 + below(xs, i - 1) * xs[i - 1]


def mixed(x, n):
    counts = []
    i = 0
    while i < n:
        counts.append(i * i % 5)
        i += 1
    whole = sum(counts)
    floats = counts + [x]
    some = floats + [None]
    total = 0.0
    for v in some:
        if v is not None:
            total += v * x
    flags = [c > 2 for c in counts]
    pairs = [(c, v) for c, v in zip(counts, floats)]
    for c, v in pairs:
        total += c * v * x
    return total + whole * x + (x if any(flags) else 0.0) + (2.0 * x if flags[n // 2] else x)


def f(x, n):
    xs = powers(x, n)
    return kept(x, n) + points(x, n) + ends(x, n) + below(xs, n) * 0.01 + mixed(x, n)
