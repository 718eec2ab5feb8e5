# entry: f
# args: 0.0
# args: -2.0
# args: 2.0
# by-hand
# closed: [0.0 if x == 0 else copysign(1, x)]


def f(x):
    return abs(x)
