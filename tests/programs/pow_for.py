# entry: pow
# args: 2.0, 3
# args: 0.5, 7
# closed: [n * x ** (n - 1), None]


def pow(x, n):
    r = 1.0
    for _ in range(n):
        r *= x
    return r
