# entry: f
# args: 1.5, 4
# args: 1.5, 20


def f(x, n):
    y = x
    while n > 0:
        y = y * x
        if y > 100.0:
            break
        n -= 1
    else:
        y = y + 1000.0 * x
    return y
