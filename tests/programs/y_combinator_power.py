# entry: main
# args: 1.5, 5
# order: 2
# closed: [120 * 5 * x**4, None]
# closed second: 120 * 20 * x**3
# note: recursion by a function that is applied to itself, over a captured variable


def fix(f):
    return (lambda u: (lambda n: u(u)(n)))(lambda u: f(lambda n: u(u)(n)))


def main(x, n):
    fact = fix(lambda self: lambda k: 1.0 if k <= 0 else x * k * self(k - 1))
    return fact(n)
