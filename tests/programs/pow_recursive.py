# entry: pow
# args: 2.0, 3
# args: -1.5, 4
# closed: [n * x ** (n - 1), None]


def pow(x, n):
    if n == 0:
        return 1.0
    return x * pow(x, n - 1)
