# entry: f
# args: 2.0
# exit: 3
# message: a set is not supported
# line: 9


def f(x):
    return sum({x, 2.0})
