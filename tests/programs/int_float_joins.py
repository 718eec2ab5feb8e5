# entry: f
# args: 2.5, 3
# args: 2.5, -1
# closed: [4.0 if n > 0 else 2.0, None]
# result: float
# note: ints and floats meet after if, in loops and in results


def f(x, n):
    a = 1
    if n > 0:
        a = x
    b = 0
    for i in range(3):
        b = b + x
    return a + b if n > 0 else g(x, n)


def g(x, n):
    if n < -5:
        return 1
    return 2 * x + n
