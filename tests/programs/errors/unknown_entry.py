# entry: volume
# args: 2.0
# exit: 2
# message: volume


def f(x):
    return x
