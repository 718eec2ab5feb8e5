# entry: f
# args: 0.3, 0.6
# args: -0.5, 0.5
# args: 1.0, 1.0
# note: the escape time decides, and the last radius is returned


def f(a, b):
    x = y = 0.0
    i = 0
    for i in range(30):
        x, y = x * x - y * y + a, 2 * x * y + b
        if x * x + y * y > 4.0:
            break
    return (x * x + y * y) ** 0.5 + i
