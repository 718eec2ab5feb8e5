# entry: f
# args: 2.5
# args: 0.8
# order: 2
# note: generators that are handed to `next` and to functions, which go on where they stopped


def count(x):
    k = 1
    while True:
        yield x * k
        k += 1


def fib(a, b=1.0):
    while True:
        yield a
        a, b = b, a + b


def parts(xs, scale):
    for v in xs:
        if v > 4.0:
            continue
        if v < 0.0:
            return
        yield v * scale
        for i in range(2):
            yield v + i
    yield 100.0


def both(x):
    yield x
    yield from [x * 2.0, x * 3.0]


def roots(x):
    t = x
    for _ in range(5):
        t = 0.5 * (t + x / t)
        yield t


def take(g, n):
    s = 0.0
    for _ in range(n):
        s += next(g)
    return s


def total(g):
    s = 0.0
    for v in g:
        s += v * v
    return s


def f(x):
    g = count(x)
    s = next(g) * next(g) + next(g)
    s += take(g, 2) + take(fib(x), 5) + total(both(x))
    h = parts([x, 5.0, x + 1.0, 1.0], x)
    s += next(h)
    for v in h:
        if v > 50.0:
            break
        s = s * 1.1 + v
    s += sum(h) + next(h, x**3)
    u = fib(x, b=x * x)
    v = fib(1.0)
    for _ in range(6):
        s += next(u) * next(v)
    r = roots(x)
    last = next(r)
    for t in r:
        last = t
    return s + last + next(both(x))
