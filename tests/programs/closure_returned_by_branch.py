# entry: f
# args: 2.0, 0
# args: 2.0, 1
# args: 2.0, 2


def choose(n, a):
    if n == 0:
        return lambda x: x * a
    if n == 1:
        return lambda x: x + a * a
    return lambda x: a


def f(x, n):
    h = choose(n, x * 3.0)
    return h(x) * h(1.0)
