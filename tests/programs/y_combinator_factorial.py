# entry: f
# args: 2.0, 5
# closed: [120.0, None]
# note: the textbook combinator, not in tail position


def fix(f):
    return (lambda u: f(lambda n: u(u)(n)))(lambda u: f(lambda n: u(u)(n)))


def f(x, n):
    factorial = fix(lambda self: lambda k: 1.0 if k == 0 else k * self(k - 1))
    return x * factorial(n)
