# entry: even
# args: 2.0, 6
# args: 1.25, 7
# closed: [n * x ** (n - 1), None]
# note: x ** n by two functions that call each other


def even(x, n):
    return 1.0 if n == 0 else x * odd(x, n - 1)


def odd(x, n):
    return 1.0 if n == 0 else x * even(x, n - 1)
