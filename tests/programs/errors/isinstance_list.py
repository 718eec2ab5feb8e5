# entry: f
# args: 2.0
# exit: 3
# message: a list is a tuple here
# line: 9


def f(x):
    return x if isinstance(x, list) else 2.0 * x
