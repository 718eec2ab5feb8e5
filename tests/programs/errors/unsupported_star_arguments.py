# entry: f
# args: 2.0
# exit: 3
# message: args
# line: 8


def g(*args):
    return args[0]


def f(x):
    return g(x, x)
