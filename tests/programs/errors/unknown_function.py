# entry: f
# args: 2.0
# exit: 2
# message: helper
# line: 9


def f(x):
    return helper(x) + 1.0
