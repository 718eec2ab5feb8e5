# entry: f
# args: 7.1, 3
# note: chained and augmented assignment


def f(x, n):
    a = b = x
    a += 1.0
    b -= n
    a *= b
    a /= 3
    b **= 2
    c = n
    c //= 2
    c %= 2
    d = x
    d %= 4.0
    d //= 0.5
    pass
    return a * b + c * x + d
