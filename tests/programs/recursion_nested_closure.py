# entry: f
# args: 0.8, 6
# note: each frame makes a closure that captures the one of the frame before


def build(x, n, g):
    if n == 0:
        return g(x)
    return build(x * 1.1, n - 1, lambda y: g(y * x) + x)


def f(x, n):
    return build(x, n, lambda y: y * y)
