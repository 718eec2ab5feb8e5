# entry: f
# args: 1.3, 7
# args: 0.6, 3
# order: 1
# note: sets: of ints, tuples and strings that only the run knows, in variables, fields and arguments, changed in place and combined
def seen(x, n):
    known = set()
    s = 0.0
    for i in range(2 * n):
        k = (i * i) % 7
        if k not in known:
            known.add(k)
            s += x * k
    return s + len(known) * x


def combined(x, ks):
    a = {1, 2, 5}
    b = set(ks)
    c = {k % 3 for k in ks}
    s = x * len(a & b) + x * x * len(a | b) + x * len(b - a) - len(a ^ c)
    s += 1.0 if a <= a | b else 0.0
    s += 2.0 if a == {5, 2, 1} else 0.0
    s += 4.0 if c < frozenset([0, 1, 2, 3]) else 0.0
    return s + sum([x ** k for k in sorted(c)]) + (x if 5 in {1, 5} and 2 not in (c - {2}) else 0.0)


def changed(x, ks):
    s = set(ks)
    other = s
    s.discard(2)
    s.discard(100)
    s |= {3, 40}
    s -= {3}
    t = s.copy()
    t.add(50)
    t.update([60, 50], [70])
    t.remove(60)
    return x * len(other) + x * x * len(t) + sum(s)


def paths(x, n):
    visited = {(0, 0)}
    todo = [(0, 0, x)]
    total = 0.0
    while len(todo) > 0:
        i, j, w = todo.pop()
        total += w
        for a, b in ((i + 1, j), (i, j + 1)):
            if a < n and b < 3 and (a, b) not in visited:
                visited.add((a, b))
                todo.append((a, b, w * x * 0.5))
    return total


class Visitor:
    def __init__(self):
        self.seen = set()

    def visit(self, name, x):
        if name in self.seen:
            return 0.0
        self.seen.add(name)
        return x * len(self.seen)


def f(x, n):
    ks = []
    for i in range(n + 2):
        ks.append((i * i + 1) % 7)
    names = ["a", "b", "c"]
    visitor = Visitor()
    named = sum([visitor.visit(names[k % 3], x) for k in ks])
    empty = set()
    return seen(x, n) + combined(x, ks) + changed(x, ks) + paths(x, n) + named * x + (x if not empty else 0.0)
