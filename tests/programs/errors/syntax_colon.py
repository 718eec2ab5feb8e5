# entry: f
# args: 2.0
# exit: 2
# message: expected
# line: 9


def f(x):
    if x > 0
        return x
    return -x
