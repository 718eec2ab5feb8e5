# entry: f
# args: 2.0, 3
# closed: [3 * x * x, None]
# note: the bound of a range is read once


def f(x, n):
    p = 1.0
    for _ in range(n):
        n = 0
        p = p * x
    return p
