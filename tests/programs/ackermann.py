# entry: f
# args: 0.5, 2, 3
# note: every frame does a little arithmetic on the float


def f(x, m, n):
    if m == 0:
        return g(x, n + 1)
    if n == 0:
        return f(x * 1.01, m - 1, 1)
    k = ack(m, n - 1)
    return f(x + 0.01 * k, m - 1, k)


def g(x, n):
    return x * n


def ack(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ack(m - 1, 1)
    return ack(m - 1, ack(m, n - 1))
