# entry: f
# args: 0.7, 2
# args: -0.4, 1
# wrt: 0
# note: a function that may be None is called, also by a keyword and with a star
def by_loop(x, n):
    f = None
    for i in range(n):
        f = lambda t, k=1.0: t * x + k * n
    return f


def f(x, n):
    g = by_loop(x, n)
    return g(x) + g(x, k=x) * g(*(x, 2.0))
