# entry: f
# args: 1.5
# args: -0.5
# note: functions that are handed on, or called, before a function that they call is defined

def f(x):
    return table(x) + grammar(x) + factories(x) + chain(x) + parity(x) + sometimes(x)


def table(x):
    rules = [lambda v: walk(1, v) * 2.0, lambda v: v + x]
    def walk(i, v):
        return rules[i](v) * x
    return walk(0, x)


def grammar(x):
    rules = {"sum": lambda d, v: product(d, v) + v, "product": lambda d, v: v * x if d == 0 else sums(d - 1, v * x)}
    def product(d, v):
        return rules["product"](d, v)
    def sums(d, v):
        return rules["sum"](d, v)
    return sums(2, x)


def factories(x):
    def make(n):
        return lambda v: step(v, n)
    steps = [make(n) for n in range(3)]
    total = 0.0
    for i in range(3):
        def step(v, n):
            return v * i + n * x * x
        total = total + steps[i](x)
    return total


def chain(x):
    def first(v):
        return second(v) + last(v)
    both = [first, lambda v: first(v) * 2.0]
    def second(v):
        return third(v) * 2.0
    y = x * 3.0
    def third(v):
        return v * y
    def last(v):
        return v * x
    return both[1](x) + sum(map(first, [x, 2.0 * x]))


def apply(k, v):
    return k(v)


def parity(x):
    def even(n, v):
        return v if n == 0 else apply(lambda u: odd(n - 1, u), v * 2.0)
    start = even
    odd = lambda n, v: -v if n == 0 else even(n - 1, v * x)
    return start(4, x) + start(3, x)


def sometimes(x):
    def outer():
        return inner()
    y = x
    if x < 10.0:
        y = x * x * x
        def inner():
            return y
    return outer()
