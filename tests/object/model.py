import math
import numpy as np


def poly(x, y):
    return x**3 * y + math.sin(x) * math.exp(y) - math.atan2(x, y)


def power(x, n):
    r = 1.0
    while n > 0:
        r = r * x
        n = n - 1
    return r


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def nested(x, n):
    total = 0.0
    for i in range(n):
        term = 1.0
        for j in range(i):
            term = term * math.sin(x + j)
        total = total + term * term
    return total


def tree(x, n):
    if n < 2:
        return x
    return tree(x * 0.5, n - 1) * tree(x + 1.0, n - 2)


def deep(x, n):
    if n == 0:
        return x
    return x + math.sin(deep(x, n - 1))


def floats(x, y):
    return x % y, x // y, math.log1p(abs(x)), x**0.5, math.erf(x), math.tanh(x * 40.0)


def divided(x, n):
    return x * (7 // n)


def guarded(x):
    assert x > 0.0, "x must be positive"
    return math.log(x)


def logsumexp(x):
    m = x.max()
    return m + math.log(np.exp(x - m).sum())


def layer(p, x):
    return np.tanh(p["w"] @ x + p["b"]).sum()


def path(x, steps):
    v = np.array([0.0, 1.0, 0.5])
    for i in range(steps):
        v[i % 3] = v[(i + 1) % 3] * x[i % 4] + v[i % 3]
    return (v * v).sum()


def scaled(x, a):
    return x * a, a > 1.0


def shouts(x):
    print(x)
    return x


def ordered(x):
    return np.sort(x)[0] * x[1]


def sincos(x, y):
    return math.sin(x) + y * math.cos(x)


def named(Some, INT64_MAX, _Bool, unix, errno, status, int64_t, Failure, I, _, int_, crate):
    return Some + INT64_MAX + _Bool + unix + errno + status + int64_t + Failure + I + _ + int_ + crate
