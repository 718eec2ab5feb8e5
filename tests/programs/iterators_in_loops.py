# entry: f
# args: 1.5
# args: -0.5
# note: a loop over `map` or `filter` calls the function in each turn, and so do `any` and `all`; an iterator may be kept and taken once
from itertools import accumulate


def f(x):
    n = 0.0

    def seen(v):
        nonlocal n
        n = n * x + v
        return v

    s = 0.0
    for v in map(seen, [x, 2.0, 3.0]):
        n += 1.0
        if v > 1.0:
            break
        s += v
    for v, w in map(lambda a, b: (seen(a), b), (x, 2.0), [4.0, 5.0]):
        s = s * x + v * w
    for v in filter(lambda v: seen(v) > 0.0, [x, -1.0, x * x]):
        n *= 2.0
        s += v * n
    s += sum([v * n for v in map(seen, [1.0, x])])
    if any(map(lambda v: seen(v) > 1.0, [x, 2.0, 3.0])) and not all(map(lambda v: seen(v) > 1.0, (x, 4.0))):
        s += n
    return s + n + kept(x) + either(x)


def kept(x):
    k = 2.0
    pairs = zip([x, 2.0], [1.0, 3.0])
    out = list(filter(lambda v: v > 0.0, [x, x * x]))
    for p, q in pairs:
        out.append(p * q)
    first, second = map(math_of, (x, 3.0))
    for v in accumulate([x, 2.0, 3.0]):
        out.append(v)
        if v > 3.0:
            break
    for v in map(lambda v: v * k, out):
        k = k + 1.0
        first += v
    return sum(scaled_again(out)) * first * second + k


def scaled_again(out):
    scaled = map(lambda v: v * 0.5, out)
    return list(scaled)


def math_of(v):
    return v * v + 1.0


def either(x):
    s = 0.0
    for i in range(3) if x > 0.0 else reversed(range(4)):
        s = s * x + i
    return s
