# entry: f
# args: 2.0, 3.0
# closed: [y * y + 2 * x * y + 1.0, 2 * x * y + x * x]


def f(x, y):
    (a, (b, c)), d = (x, (y, x * y)), 1.0
    [e, g] = [c, a]
    return b * c + e * g + d * a
