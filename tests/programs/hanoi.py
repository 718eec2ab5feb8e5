# entry: f
# args: 1.5, 6
# closed: [63.0, None]


def f(x, n):
    if n == 0:
        return 0.0
    return f(x, n - 1) + x + f(x, n - 1)
