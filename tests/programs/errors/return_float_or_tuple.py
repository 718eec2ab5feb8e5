# entry: f
# args: 2.0
# exit: 2
# message: tuple
# line: 8, 9, 10, 11


def f(x):
    if x > 1.0:
        return x
    return x, x
