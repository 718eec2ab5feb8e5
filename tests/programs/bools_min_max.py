# entry: f
# args: 1.5, 2
# note: the smaller of two bools is a bool


def f(x, n):
    a = x > 1.0
    b = n == 3
    return (min(a, b), max(a, b), max((b, a, b)), sum((a, a, b)))
