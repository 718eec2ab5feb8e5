# entry: f
# args: 0, 0.0
# args: 2, 0.0
# args: 0, 1.5


def f(n, x):
    a = 1 if n else 0
    b = 1 if x else 0
    c = 1 if (n, x) else 0
    d = 1 if () else 0
    return a, b, c, d, not n, not x, bool(n), bool(x)
