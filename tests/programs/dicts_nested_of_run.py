# entry: f
# args: 1.3, 7
# order: 1
# note: dicts and lists in a `defaultdict` that are written to by keys that only the run knows; `popitem`; functions that give new objects, as values
from collections import defaultdict


def f(x, n):
    d = defaultdict(dict)
    rows = defaultdict(list)
    for i in range(n):
        d[i % 3][i % 2] = x * i
        rows[i % 2].append(x)
    d[0][0] *= x
    s = 0.0
    for k in d:
        for j in d[k]:
            s += d[k][j] * x
    make = dict
    a = make()
    b = a
    b[n] = s
    first, second = map(sorted, ([x, 0.5], [2.0 * x, x]))
    first[0] = x * x
    s = a[n] + len(rows[1]) * x + first[0] * first[1] + second[1]
    last = d.pop(2)
    while last:
        k, v = last.popitem()
        s += k * v
    try:
        b.popitem()
        b.popitem()
    except KeyError:
        s *= x
    return s + len(a)
