# entry: f
# args: 0.5, 10000
# closed: [float(n), None]
# note: ten thousand frames of the program's own


def f(x, n):
    if n == 0:
        return 0.0
    return x + f(x, n - 1)
