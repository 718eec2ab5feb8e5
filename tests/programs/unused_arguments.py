# entry: f
# args: 1.5, 2.0, 3
# closed: [2 * x, 0.0, None]
# note: the gradient is zero where it does not matter


def f(x, y, n):
    z = y * n
    return x * x
