# entry: f
# args: 1.5, 2.0, 3.0
# closed: [z + y * z, x * z, x + x * y]


def curry(g):
    return lambda a: lambda b: lambda c: g(a, b, c)


def f(x, y, z):
    g = curry(lambda a, b, c: a * b * c)
    multiply = lambda a: lambda b: a * b
    return g(x)(y)(z) + multiply(x)(z)
