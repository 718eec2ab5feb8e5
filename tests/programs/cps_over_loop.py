# entry: f
# args: 0.7, 2
# order: 2
# note: the cotangent of `k` is a box that may be zero, of closures with other captures


def step(n, k):
    if n <= 0:
        return k(0.5)
    h = lambda v: v
    z = 0.5
    while z < 0.9:
        h = lambda t, g=h: g(t + 0.1)
        z = h(z)
    return step(n - 1, lambda v: h(v))


def f(x, n):
    return step(n, lambda v: v * x)
