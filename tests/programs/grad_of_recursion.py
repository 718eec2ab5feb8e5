# entry: f
# args: 1.5, 6
# closed: [n * (n - 1) * x ** (n - 2), None]

from gradus import grad


def power(x, n):
    return 1.0 if n == 0 else x * power(x, n - 1)


def f(x, n):
    return grad(power)(x, n)
