# entry: f
# args: 2.0
# args: 0.7
# order: 2
# note: loops over generators: break, else, return, closures, enumerate, infinite ones, nested ones


def halves(x, n):
    while n > 0:
        yield x
        x = x / 2.0
        n -= 1


def multiples(x, step=1):
    k = step
    while True:
        yield x * k
        k += step


def both(x):
    yield from halves(x, 2)
    yield x * x
    for v in halves(x * 3.0, 2):
        yield v + 1.0


def until(xs, bound):
    for v in xs:
        if v > bound:
            return
        yield v * v


def many(*xs, scale=2.0):
    for v in xs:
        yield v * scale


def first_above(x, bound):
    for v in multiples(x, step=2):
        if v > bound:
            return v * v
    return 0.0


def local(x):
    def powers(n):
        p = 1.0
        for _ in range(n):
            yield p
            p = p * x

    total = 0.0
    for p in powers(4):
        total += p
    return total


def f(x):
    s = 0.0
    for v in both(x):
        s += v * v
    for v in until([x, x + 1.0, 50.0, 7.0], 6.0):
        s += v
    else:
        s *= 2.0
    for i, v in enumerate(multiples(x), 1):
        if i > 3:
            break
        if i == 2:
            continue
        s += i * v
    else:
        s = 0.0
    for a in halves(x, 2):
        for b in halves(x * a, 3):
            s += a * b
    for v in many(x, x * x, scale=3.0):
        s += v
    for v in many(*[x, 1.0]):
        f = lambda t: t * v + sum([t * w for w in halves(v, 2)])
        s += f(x)
    return s + first_above(x, 9.0) + local(x)
