# entry: f
# args: [1.0, -2.0, 0.5, 3.0], 1.5
# note: a polynomial by a higher-order fold


def fold(g, start, items):
    acc = start
    for item in items:
        acc = g(acc, item)
    return acc


def f(c, x):
    value = fold(lambda acc, a: acc * x + a, 0.0, c)
    product = fold(lambda acc, a: acc * a, 1.0, c)
    return value * product
