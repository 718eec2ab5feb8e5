# entry: f
# args: 1.5, 10
# closed: [55.0, None]


def fib(n, x, k):
    if n < 2:
        return k(n * x)
    return fib(n - 1, x, lambda a: fib(n - 2, x, lambda b: k(a + b)))


def f(x, n):
    return fib(n, x, lambda r: r)
