# entry: f
# args: 2.0
# exit: 2
# message: argument
# line: 8


def f(x, y):
    return x * y
