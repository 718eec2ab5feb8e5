# entry: f
# args: 2.0
# exit: 2
# message: tuple
# line: 9


def f(x):
    if x < (1.0, 2.0):
        return x
    return -x
