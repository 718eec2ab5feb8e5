# entry: f
# args: 1.5
# closed: [1.0 * 2.0 + 2 * x * 3.0 + 3 * x * x * 4.0]


def f(x):
    total = 0.0
    for (a, b), c in (((x, 1.0), 2.0), ((x, x), 3.0), ((x * x, x), 4.0)):
        total += a * b * c
    return total
