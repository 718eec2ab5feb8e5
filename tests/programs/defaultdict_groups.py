# entry: f
# args: 1.1, 7
# args: 0.7, 2
# order: 1
# note: `collections.defaultdict` and `Counter`, with keys that only the run knows
import collections
from collections import Counter


def sums(x, n):
    d = collections.defaultdict(float)
    for i in range(n):
        d[i * i % 3] += x ** i
    total = 0.0
    for k in d:
        total += d[k] * (k + 1)
    for k, v in d.items():
        total += v * v
    total += x if isinstance(d, dict) else 3.0 * x
    return total + d[0] * 2.0 + d[1] + len(d) + d.get(9, x) + (1 in d)


def groups(x):
    found = collections.defaultdict(list)
    for i, v in enumerate([x, 2.0, x * x, 3.0 * x]):
        found[i % 2].append(v)
    return sum(found[0]) * sum(found[1])


def counts(x, n):
    c = Counter([i * i % 7 for i in range(n)])
    last = collections.deque([x, 2.0])
    total = x
    for k, m in c.items():
        total += x ** k * m
    best, times = c.most_common(1)[0]
    return total + last.pop() * last[0] + c[2] * x + c[6] + len(c) + best * x + times + c.total()


def f(x, n):
    return sums(x, n) + groups(x) + counts(x, n)
