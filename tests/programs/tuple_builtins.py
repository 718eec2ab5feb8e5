# entry: f
# args: 2.0, 5.0
# closed: [3.0 + y, x + 2.0]


def f(x, y):
    t = tuple([x, y, x])
    return sum(t) + max(t) * min(t) + max(x, y, 1.0) + min(x, y, 9.0) + sum((x, 1.0)) - x
