# entry: power
# args: 1.5, 4
# closed: [n * x ** (n - 1), None]


def fix(f):
    return (lambda u: u(u))(lambda u: f(lambda n, acc: u(u)(n, acc)))


def power(x, n):
    return fix(lambda self: lambda k, acc: acc if k == 0 else self(k - 1, acc * x))(n, 1.0)
