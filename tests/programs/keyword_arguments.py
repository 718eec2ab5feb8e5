# entry: f
# args: 2.0, 3.0
# closed: [1.0 - 10.0 + y, 10.0 + x]


def g(a, b, scale=1.0):
    return scale * (a - b)


def f(x, y):
    return g(x, b=y) + g(b=x, a=y, scale=10.0) + y + x * y
