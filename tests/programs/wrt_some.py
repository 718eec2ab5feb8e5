# entry: f
# args: 2.0, 3.0, 4.0
# wrt: 0, 2
# closed: [y * z, None, x * y]


def f(x, y, z):
    return x * y * z
