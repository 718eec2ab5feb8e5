# entry: f
# args: 5, 3
# args: -5, 3
# args: 9223372036854775807, 1


def f(a, b):
    return a - b, -b, abs(a - b), min(a, b), max(a, b), b**3, 2**-1, a / b, a % 10, float(a), +a
