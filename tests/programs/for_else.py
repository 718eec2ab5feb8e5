# entry: f
# args: 1.5, 4
# args: 1.5, 20


def f(x, n):
    y = x
    for i in range(n):
        if y > 50.0:
            y = -y
            break
        y *= x
    else:
        return y * y
    return y
