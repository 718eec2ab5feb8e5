# entry: f
# args: 0.7, 2
# note: a function with a rule, as a decorator, called in a loop, with an int argument

import math
from gradus import custom_vjp


def rule(y, x, n):
    return lambda g: (g * n * math.cos(n * x), None)


@custom_vjp(rule)
def wave(x, n):
    return math.sin(n * x)


def f(x, n):
    s = 0.0
    for i in range(3):
        s = s * x + wave(x + s, n + i)
    return s
