# entry: f
# args: 0.5
# args: 1.5
# args: 2.5
# closed: [2 * x if 0 < x < 1 else 3.0 if 1 <= x <= 2 else -1.0]


def f(x):
    if 0 < x < 1:
        return x * x
    if 1.0 <= x <= 2 != 3:
        return 3 * x
    return -x
