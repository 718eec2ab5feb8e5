# entry: f
# args: 1.01, 500
# closed: [n * x ** (n - 1), None]


def power(x, n, k):
    return k(1.0) if n == 0 else power(x, n - 1, lambda r: k(x * r))


def f(x, n):
    return power(x, n, lambda r: r)
