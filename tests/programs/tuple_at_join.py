# entry: f
# args: 2.0, 3.0
# args: 3.0, 2.0
# closed: [(y if x < y else -1.0 + y), (x if x < y else 1.0 + x)]


def f(x, y):
    if x < y:
        t = (x, y, 0)
    else:
        t = (y, x, y - x)
    return t[0] * t[1] + t[2]
