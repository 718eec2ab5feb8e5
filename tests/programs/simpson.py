# entry: f
# args: 0.0, 2.0, 1.5
# note: the integrand is a closure over a parameter; the bounds are differentiated too

import math


def simpson(g, a, b, n):
    h = (b - a) / n
    total = g(a) + g(b)
    for i in range(1, n):
        total += (4.0 if i % 2 == 1 else 2.0) * g(a + i * h)
    return total * h / 3


def f(a, b, k):
    return simpson(lambda x: math.exp(-k * x) * math.cos(x), a, b, 20)
