# entry: f
# args: 1.5, 7
# args: 0.3, 2
# order: 2
# wrt: 0
# note: continuations that call the function that takes them, and not the continuation that it was given


def fib(n, x, k):
    if n < 2:
        return k(n * x * x)
    return fib(n - 1, x, lambda a: fib(n - 2, x, lambda b: (a + b)))


def step(n, x, y, k):
    if n <= 0:
        return k(x)
    z = x / (2.0 + y * y) * (x * x)

    def q(v):
        return step(n - 2, y, z * x, lambda t: t * v)

    return step(n - 1, y, z * x, q)


def f(x: float, n: int) -> float:
    return fib(n, x, lambda r: r) + step(n, x, 0.214, lambda t: t * t)
