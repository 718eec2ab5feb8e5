# entry: f
# args: 1.5, 0.25
# order: 1
# note: a recursion that takes one more derivative with each call, to an order that is a constant
from gradus import grad


def nth(f, n):
    if n == 0:
        return f
    return nth(grad(f), n - 1)


def nth_in_one(f, n):
    return f if n <= 0 else nth_in_one(grad(f), n - 1)


def taylor(f, x, h, n, k=1):
    if n == 0:
        return f(x)
    return f(x) + h / k * taylor(grad(f), x, h, n - 1, k + 1)


def f(x, h):
    third = nth(lambda t: t**5, 3)(x)
    second = nth_in_one(lambda t: t**4 * h, 2)(x) + nth_in_one(lambda t: t**3, 1)(x)
    return third + second + taylor(lambda t: t**4 + x * t, x, h, 2)
