# entry: f
# args: 7.5, 2.0
# args: -7.5, 2.0
# args: 7.5, -2.0
# args: -6.0, 2.0
# args: 1e300, 1e-5


def f(a, b):
    return a // b, a % b, a / b
