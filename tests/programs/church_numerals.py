# entry: f
# args: 0.5
# order: 2
# note: (2 + 3) * 2 times x -> 0.5 * x + sin(x)

import math


def zero(g):
    return lambda x: x


def succ(n):
    return lambda g: lambda x: g(n(g)(x))


def add(m, n):
    return lambda g: lambda x: m(g)(n(g)(x))


def mul(m, n):
    return lambda g: m(n(g))


def f(x):
    two = succ(succ(zero))
    three = succ(two)
    ten = mul(add(two, three), two)
    return ten(lambda y: 0.5 * y + math.sin(y))(x)
