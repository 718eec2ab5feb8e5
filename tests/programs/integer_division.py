# entry: f
# args: 7, 2
# args: -7, 2
# args: 7, -2
# args: -7, -2
# note: // and % floor


def f(a, b):
    return a // b, a % b, a / b, a - b * (a // b) == a % b
