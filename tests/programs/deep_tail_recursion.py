# entry: f
# args: 0.999, 10000
# closed: [n * x ** (n - 1), None]


def f(x, n, acc=1.0):
    if n == 0:
        return acc
    return f(x, n - 1, acc * x)
