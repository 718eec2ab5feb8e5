# entry: f
# args: 1.5
# args: 0.7
# order: 2
# note: boxes that are variables: handed to helpers, changed on some paths and in loops, of several types
from gradus import Box


def add(b, v):
    b.set(b.get() + v)


def twice(b, v):
    add(b, v)
    add(b, v * b.get())


def helped(x):
    b = Box(x)
    c = Box(1)
    for i in range(3):
        twice(b, x * i)
        if b.get() > 2.0:
            c.set(c.get() + 1)
    return b.get() * c.get()


def around(x):
    n = 0
    best = None
    trace = []
    def note(v):
        nonlocal n, best
        n += 1
        trace.append(v * n)
        if best is None or v > best:
            best = v
        def again(w):
            nonlocal n
            n += 2
            return w * n
        return again(v)
    total = 0.0
    for i in range(4):
        total = total + note(x * (2 - i) * i)
    return total * best + n + trace[2]


def late(x):
    def g(t):
        return t * k
    k = x
    y = g(2.0)
    k = x * x
    return y + g(3.0)


def emptied(x):
    if x > 1.0:
        scale = x
    def g(t):
        return t * scale
    if x <= 1.0:
        scale = 2.0 * x
    return g(x) + g(1.0)


def f(x):
    return helped(x) + around(x) + late(x) + emptied(x)
