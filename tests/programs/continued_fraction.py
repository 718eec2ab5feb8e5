# entry: f
# args: 0.5, 12
# note: tan by Lambert's continued fraction


def fraction(x, k, n):
    if k > n:
        return 1.0 * k
    return k - x * x / fraction(x, k + 2, n)


def f(x, n):
    return x / fraction(x, 1, n)
