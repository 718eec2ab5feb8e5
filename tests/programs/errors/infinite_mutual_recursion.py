# command: grad
# entry: f
# args: 2.0
# exit: 1
# message: recursion limit
# line: 9, 10, 13, 14


def f(x):
    return x * g(x)


def g(x):
    return x + f(x)
