# entry: f
# args: 2.0
# exit: 1
# message: recursion limit
# line: 8, 9


def f(x):
    return 1.0 + f(x)
