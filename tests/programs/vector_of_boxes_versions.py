# entry: f
# args: 1.3, 3
# args: -0.6, 9
# order: 2
# note: old versions of lists of run-time length whose elements lie in boxes: lists, arrays, functions, None, with sums of their cotangents
import numpy as np


def rows(x, n):
    table = []
    for i in range(n + 2):
        table.append([x * i])
    old = []
    for k in range(4 * n):
        i = (k * 5) % (n + 2)
        if len(table[i]) < 3:
            table[i] = table[i] + [x * x + k]
        else:
            table[i] = [table[i][0] * 0.5]
        if k % 3 == 0:
            old.append(table[:])
    s = 0.0
    for version in old:
        for row in version:
            s += row[-1] * row[0]
    return s * 0.01 + sum(table[0])


def queue(x, n):
    waiting = [([x], 0)]
    s = 0.0
    done = 0
    while waiting and done < n:
        path, depth = waiting.pop(0)
        done += 1
        s += sum(path) * x
        waiting.append((path + [x * depth], depth + 1))
        if depth % 2 == 0:
            waiting.append((path[1:] + [1.0], depth + 1))
    return s


def functions(x, n):
    fs = [lambda y: y]
    for i in range(n):
        inner = fs[i // 2]
        fs.append(lambda y, inner=inner, i=i: inner(y) * 0.5 + x * i)
    return sum(g(x * x) for g in fs)


def arrays(x, n):
    found = []
    for i in range(n):
        found.append(None if i % 3 == 1 else np.array([x, x * i]))
    other = found[:]
    other[0] = np.array([x * x, 1.0])
    s = 0.0
    for v, w in zip(found, other):
        if v is not None and w is not None:
            s += v @ w
    return s


def f(x, n):
    return rows(x, n) + queue(x, n) + functions(x, n) + arrays(x, n)
