# entry: f
# args: 2.0
# exit: 2
# message: 3
# line: 9


def f(x):
    a, b, c = (x, x + 1.0)
    return a * b * c
