# entry: f
# args: 1.5, 2.0
# by-hand
# closed: [3 * y * y, 2 * x * y]
# note: the cotangent goes through a function, which may capture variables

from gradus import hook


def f(x, y):
    return hook(lambda g: g * 3.0, x) * y * y
