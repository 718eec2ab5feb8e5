# entry: f
# args: [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]


def f(xs, ys):
    total = 0.0
    for i, x in enumerate(xs):
        total += i * x * x
    for x, y in zip(xs, ys):
        total += x * y
    for y in reversed(ys):
        total = total * 0.5 + y
    for i in reversed(range(3)):
        total = total * 0.5 + i * xs[0]
    return total
