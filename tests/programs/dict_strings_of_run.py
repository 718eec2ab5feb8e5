# entry: f
# args: 1.3, 7
# args: 0.6, 4
# order: 1
# note: strings that only the run knows: compared, as keys of dicts, of `defaultdict` and `Counter`, alone and in tuples
from collections import Counter, defaultdict


def words(x, names):
    d = {}
    for i, w in enumerate(names):
        if w in d:
            d[w] += x * i
        else:
            d[w] = x
    s = 0.0
    for w in d:
        s += d[w] * d[w] * (2.0 if w == "of" else 1.0)
    return s + d["the"] + d.get("none", x) * d.get("list", 1.0)


def pairs(x, names):
    d = {}
    for i in range(1, len(names)):
        d[names[i - 1], names[i]] = x ** i
    return d.get(("the", "of"), x) + len(d) + sum([v for (a, b), v in d.items() if a != b])


def kinds(x, names):
    s = x
    for w in names:
        if w == "the":
            s = s * x
        elif w != "of":
            s = s + x
    return s


def f(x, n):
    known = ["the", "of", "list"]
    names = []
    for i in range(n):
        names.append(known[i * i % 3 if i % 4 else 2])
    sums = defaultdict(float)
    for i, w in enumerate(names):
        sums[w] += x * i
    counted = Counter(names)
    powers = sum([x ** counted[w] for w in known])
    return words(x, names) + pairs(x, names) + kinds(x, names) + sum([v * v for v in sums.values()]) + powers
