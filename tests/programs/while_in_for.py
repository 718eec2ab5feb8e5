# entry: f
# args: 1.2
# args: 0.85


def f(x):
    y = 0.0
    for i in range(1, 6):
        z = x * i
        while z > 1.0:
            z = z * 0.5
            y = y + z * x
        y = y * z
    return y
