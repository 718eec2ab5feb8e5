# entry: f
# args: 0.5
# args: 3.0
# args: 30.0


def f(x):
    if x < 1:
        return x**3
    y = x * x
    if y > 100:
        return y / x
    y = y + x
    return y * x
