# entry: f
# args: 0.9, 12


def iterate(g, n, x):
    for _ in range(n):
        x = g(x)
    return x


def f(x, n):
    return iterate(lambda y: 3.1 * y * (1.0 - y), n, x)
