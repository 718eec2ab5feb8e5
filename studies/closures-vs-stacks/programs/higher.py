"""Functions that take or give functions."""
import math
from gradus import grad


def applied(x, n):
    f = lambda y: y
    for i in range(n):
        f = (lambda g: lambda y: x * g(y))(f)
    return f(x)


def composed(x, n):
    def compose(f, g):
        return lambda y: f(g(y))

    f = math.sin
    for i in range(n):
        f = compose(math.sin if i % 2 == 0 else math.cos, f)
    return f(x)


def iterate(f, x, n):
    for i in range(n):
        x = f(x)
    return x


def iterated(x, n):
    return iterate(lambda y: 0.5 * math.cos(y) + 0.1 * x, x, n)


def twice(x, n):
    def double(f):
        return lambda y: f(f(y))

    f = lambda y: y * 0.999 + 0.001 * x
    for i in range(n):
        f = double(f)
    return f(x)


def fold(f, n, start):
    r = start
    for i in range(n):
        r = f(r, i)
    return r


def folded(x, n):
    return fold(lambda r, i: r * x + math.sin(x * i), n, 1.0)


def curried(x, n):
    def adder(a):
        return lambda b: lambda c: a * b + c

    y = x
    for i in range(n):
        y = adder(y)(0.5)(x)
    return y


def selected(x, n):
    y = x
    for i in range(n):
        f = math.sin if y > 0.5 else math.exp
        y = f(y) * 0.7
    return y


def roots(x, n):
    def f(r):
        return r * r * r - x

    r = 1.0
    for i in range(n):
        r = r - f(r) / grad(f)(r)
    return r


def continued(x, n):
    def go(k, y, rest):
        if k == 0:
            return rest(y)
        return go(k - 1, y * 0.99, lambda z: math.sin(rest(z)) + x)

    return go(n, x, lambda z: z * z)
