# entry: f
# args: 1, 2.0
# args: 2, 2.0


def f(a, b):
    return a < b, a <= b, a > b, a >= b, a == b, a != b, not a < b, True == (a == b)
