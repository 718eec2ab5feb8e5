# entry: f
# args: 0.7
# order: 2
# note: closures that are called where another call of the function that made them is around: each has what it captured itself


def given_to_each_other(x):
    def make(k):
        return (lambda g, y: g(y) + k * y, lambda y: y * y * k)

    first = make(1.0)
    second = make(2.0)
    return first[0](second[1], x) + second[0](first[1], x)


def by_their_maker(x):
    def make(k):
        return lambda n, a: a * a * k if n == 0 else make(k + 1.0)(n - 1, a)

    return make(1.0)(2, x)


def unfolding(x):
    def make(k):
        return lambda a: a if k > 2 else a * (k + 1) * make(k + 1)(a)

    return make(0)(x)


def from_recursion(x):
    def walk(n):
        def own(y):
            return y * y * (n + 1.0)

        if n > 0:
            inner = walk(n - 1)
            return (own, inner[0](x) + inner[1])
        return (own, 0.0)

    last = walk(3)
    return last[0](x) + last[1]


def from_turns(x):
    n = int(x * 10.0 + 0.5)
    held = lambda y: y
    total = 0.0
    for i in range(n):
        own = lambda y, i=i: y * y * (i + 2.0)
        total += held(x)
        held = own
    return total


def f(x):
    return given_to_each_other(x) + by_their_maker(x) * unfolding(x) + from_recursion(x) + from_turns(x)
