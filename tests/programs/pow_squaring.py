# entry: pow
# args: 1.1, 13
# args: -2.0, 10
# closed: [n * x ** (n - 1), None]


def pow(x, n):
    r = 1.0
    while n > 0:
        if n % 2 == 1:
            r = r * x
        x = x * x
        n = n // 2
    return r
