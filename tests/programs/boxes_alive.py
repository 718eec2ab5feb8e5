# entry: f
# args: 1.5
# args: -0.5
# order: 2
# note: boxes of which one is alive at a time, and boxes of which several are: of factories, of loops, of recursion, in tuples and lists
from gradus import Box


def counter(start):
    n = start
    def step(by):
        nonlocal n
        n = n + by
        return n
    return step


def factories(x):
    a = counter(x)
    b = counter(2.0 * x)
    a(1.0)
    b(x)
    return a(x) * b(3.0)


def kept_of_turns(x):
    steps = []
    for i in range(3):
        steps.append(counter(x * i))
    total = 0.0
    for k in range(2):
        for step in steps:
            total = total * x + step(1.0 + x)
    return total


def of_turns(x):
    total = 0.0
    for i in range(3):
        b = Box(x * i)
        for k in range(i):
            b.set(b.get() * x + 1.0)
        total = total + b.get()
    return total


def before(x):
    last = Box(1.0)
    total = 0.0
    for i in range(4):
        b = Box(last.get() * x)
        last.set(b.get() + i)
        last = b
        total = total + last.get()
    return total


def depth(x, n):
    b = Box(x)
    if n > 0:
        b.set(b.get() + depth(x * b.get(), n - 1))
    b.set(b.get() * x)
    return b.get()


def chosen(x):
    a = Box(x)
    b = Box(x * x)
    c = a if x > 0.0 else b
    c.set(c.get() + 1.0)
    a, b = b, a
    a.set(a.get() * 3.0)
    return a.get() * b.get() + c.get()


def held(x):
    pair = (Box(x), Box(2.0))
    for i in range(3):
        first, second = pair
        first.set(first.get() * second.get() + x)
        pair = (second, first)
    return pair[0].get() + pair[1].get() * x


def f(x):
    return factories(x) + kept_of_turns(x) + of_turns(x) + before(x) + depth(x, 3) + chosen(x) + held(x)
