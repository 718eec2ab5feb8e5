# entry: f
# args: 1.3, 7
# args: 0.6, 3
# order: 1
# note: dicts with keys that only the run knows: counters, tables, memos, graphs, entries that go and come back, keys that are tuples
def counts(x, ks):
    d = {}
    for k in ks:
        d[k] = d.get(k, 0.0) + x
    return sum([v * v for v in d.values()])


def entries(x, n):
    d = {}
    for i in range(4 * n):
        d[(i * 17) % 31] = x * i
    for i in range(n):
        if i * 3 in d:
            del d[i * 3]
    s = 0.0
    for i in range(2 * n):
        s = s * 0.5 + d.pop(i, x)
    d[0] = x * x
    return s + d[0] + len(d) + sum(d) * 0.01


def groups(x, ks):
    d = {}
    for k in ks:
        d.setdefault(k % 3, []).append(x * k)
    return sum([sum(v) * len(v) for v in d.values()])


def grid(x, n):
    d = {}
    for i in range(n):
        for j in range(i + 1):
            d[i, j] = x + i * j if j == 0 else d[i, j - 1] * 0.5 + d.get((i - 1, j), x)
    s = 0.0
    for (i, j), v in d.items():
        s += i * v - j
    return s


def memo(x, n):
    known = {}

    def go(k):
        if k in known:
            return known[k]
        known[k] = x if k < 2 else go(k - 1) * x * 0.5 + go(k - 2)
        return known[k]

    return go(n) + len(known)


def edges(x, ks):
    graph = {0: [1, 2], 1: [2], 2: [0, 1], 3: []}
    s = 0.0
    for k in ks:
        for j in graph[k % 4]:
            s += x ** (j + 1)
    return s


def add(d, k, v):
    d[k] = d.get(k, 0.0) + v


def nested(x, ks):
    d = {}
    for k in ks:
        if k % 4 not in d:
            d[k % 4] = {}
        add(d[k % 4], k, x * k)
    s = 0.0
    for k in d:
        for j in d[k]:
            s += d[k][j] * d[k][j] * (j + 1)
    return s


def merged(x, ks):
    d = {1: x}
    e = d
    for k in ks:
        e.update({k * 2: x * k})
    both = d | {2: x * x, 99: 1.0}
    squares = {k: v * v for k, v in both.items() if k > 1}
    best = max(squares, key=squares.get)
    return sum(squares.values()) + best + (1.0 if d == e else 0.0) + (2.0 if both == d else 0.0) + max(d) + min(both)


def missing(x, n):
    d = {}
    for i in range(n):
        d[i * 0.5] = x * i
    s = 0.0
    for i in range(n):
        try:
            s += d[float(i)]
        except KeyError:
            s += x * x
    return s


def f(x, n):
    ks = []
    for i in range(n + 2):
        ks.append((i * i + 1) % 7)
    total = counts(x, ks) + entries(x, n) + groups(x, ks) + grid(x, n) + memo(x, n)
    return total + edges(x, ks) + nested(x, ks) + merged(x, ks) + missing(x, n)
