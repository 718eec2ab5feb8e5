# entry: f
# args: 2.0
# args: 2.0, 5.0
# args: 2.0, 5.0, 3, [1.5, 0.5]
# note: the entry takes any number of arguments; what it takes by name alone is left to the defaults


def f(x, *rest, scale=1.5, **others):
    r = x * scale
    for i, y in enumerate(rest):
        r = r * sum(y) + i if i == 2 else r * y + x
    return r + len(rest) * x + len(others)
