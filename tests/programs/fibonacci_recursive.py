# entry: f
# args: 1.5, 12
# closed: [144.0, None]


def f(x, n):
    if n < 2:
        return n * x
    return f(x, n - 1) + f(x, n - 2)
