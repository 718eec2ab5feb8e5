# entry: f
# args: 0.5, 85
# note: a recursive call inside of the argument of another


def f(x, n):
    return m(x, n)[0]


def m(x, n):
    if n > 100:
        return x * 0.99, n - 10
    y, k = m(x + 0.01, n + 11)
    return m(y, k)
