# entry: f
# args: [1.0, 2.0, 3.0, 4.0], 0.5
# note: recursion over a tuple, specialised for each length


def fold(t, x):
    if len(t) == 0:
        return 0.0
    return t[0] + x * fold(t[1:], x)


def f(t, x):
    return fold(t, x)
