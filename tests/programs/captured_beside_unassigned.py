# entry: f
# args: 2.0, 3
# args: -0.7, 1
# order: 2
# wrt: 0
# note: what is captured by a comprehension and a lambda, after a read of what a loop of no turns would leave without a value


def scaled(x, n):
    for i in range(3):
        c = x * (i + 1)
    for j in range(n):
        pass
    d = x * (j + 1)
    terms = [c * k for k in (1, 2)]
    return terms[0] * terms[1] * d


def shifted(x, n):
    for i in range(3):
        c = x * (i + 1)
    for j in range(n):
        pass
    total = sum(c * k for k in (1, 2))
    d = x * (j + 1)
    g = lambda t: t * d + c
    return g(x) * total


def f(x: float, n: int) -> float:
    return scaled(x, n) + shifted(x, n)
