# entry: f
# args: 2.0
# exit: 2
# message: value
# line: 9


def f(x):
    x * 2.0
    return x
