# entry: f
# args: 1.0, 2.0, 30


def f(a, b, n):
    for _ in range(n):
        a, b = b, a + b
    return a
