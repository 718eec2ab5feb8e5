# entry: f
# args: 2.5, -3
# args: 3.5, 3
# args: -0.5, 0


def f(x, n):
    return round(x), int(x), float(n), bool(n), abs(n), pow(n, 2), int(True), float(False), round(n), min(n, x), max(n, x)
