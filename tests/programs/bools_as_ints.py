# entry: f
# args: 3, 2.5
# args: 0, -1.0
# closed: [None, 1.0 + (x > 0)]


def f(n, x):
    positive = x > 0
    count = (n > 1) + (n > 2) + True
    return x + positive * x + count + (not positive)
