# entry: f
# args: [1.0, 2.0, 3.0], 0.5
# args: [4.0], 2.0


def f(xs, s):
    total = 1.0
    for x in xs:
        total = total * (x + s)
    return total
