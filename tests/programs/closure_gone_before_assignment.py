# entry: f
# args: 2.0, 3
# order: 2
# note: each closure reads variables that the next iteration assigns; no result holds it, as its type shows


def newton(g, dg, x):
    while abs(g(x)) > 1e-9:
        x = x - g(x) / dg(x)
    return x


def both(g, x):
    return g(x), g(x * 0.5)


def twice(g):
    return lambda y: g(g(y))


def f(x, n):
    y = x
    pair = (x, x)
    for i in range(1, n):
        y = newton(lambda z: z * z - y * i, lambda z: 2 * z, y)
        pair = both(lambda z: z * pair[0] + i, y)
        h = twice(lambda z: z * pair[1] + i)
        y = h(y)
    return y + pair[1]
