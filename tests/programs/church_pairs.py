# entry: f
# args: 2.0, 3.0
# closed: [2 * x * y + 1.0, x * x]


def pair(a, b):
    return lambda select: select(a, b)


def first(p):
    return p(lambda a, b: a)


def second(p):
    return p(lambda a, b: b)


def f(x, y):
    p = pair(x, pair(y, x * x))
    return first(p) + first(second(p)) * second(second(p))
