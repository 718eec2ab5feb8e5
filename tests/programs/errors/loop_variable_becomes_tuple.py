# entry: f
# args: 2.0
# exit: 2
# message: tuple
# line: 9, 10, 11


def f(x):
    y = 0.0
    while x < 3.0:
        y = (y, x)
        x = x + 1.0
    return x
