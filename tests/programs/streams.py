# entry: f
# args: 0.5, 10
# note: an infinite stream as a function that gives its head and the rest


def powers(x):
    def at(p):
        return lambda: (p, at(p * x))

    return at(x)


def f(x, n):
    s = powers(x)
    total = 0.0
    for _ in range(n):
        head, s = s()
        total += head
    return total
