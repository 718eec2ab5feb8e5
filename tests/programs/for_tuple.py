# entry: f
# args: 2.0
# order: 2
# closed: [3.0 + 2 * x + 0.5]


def f(x):
    total = 0.0
    for v in (x, x * x, 0.5 * x, 1, 2 * x):
        total += v
    return total
