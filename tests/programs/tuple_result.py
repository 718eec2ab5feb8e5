# entry: f
# args: 1.5, 2
# note: a tuple has no gradient of its own


def f(x, n):
    return x * n, (n, x > 1.0), (x,), ()
