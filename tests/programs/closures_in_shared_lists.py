# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: closures in lists that have two names read their variables when they are called


def by_alias(x):
    a = [x]
    b = a
    c = x
    fs = [lambda: c]
    c = x * 5
    b[0] = 2.0
    return fs[0]() + a[0]


def by_loop(x):
    found = []
    for j in range(3):
        found.append(lambda: j * x)
    same = found
    same.append(lambda: x * x)
    return found[0]() + found[3]()


def by_decorator(x):
    registered = []

    def add(f):
        registered.append(f)
        return f

    c = 1.0

    @add
    def scaled(z):
        return z * c

    c = 3.0 * x
    return registered[0](2.0) * x


def f(x):
    return by_alias(x) * by_loop(x) + by_decorator(x)
