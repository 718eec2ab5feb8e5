# entry: f
# args: 1.5, 6
# closed: [6 * 720 * x ** 5, None]
# note: continuation-passing style


def factorial(n, x, k):
    if n == 0:
        return k(1.0)
    return factorial(n - 1, x, lambda r: k(r * n * x))


def f(x, n):
    return factorial(n, x, lambda r: r)
