# entry: f
# args: 2.0
# exit: 2
# message: expected
# line: 8, 9, 10


def f(x):
    y = (x + 1.0
    return y
