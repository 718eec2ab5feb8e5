# entry: f
# args: 2.0
# exit: 2
# message: tuple
# line: 9, 10, 11


def f(x):
    y = 0.0
    for i in range(3):
        y = (y, x)
    return x
