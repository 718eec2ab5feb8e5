# entry: f
# args: 2.0
# exit: 2
# message: `raise` without an exception is for handlers
# line: 9


def f(x):
    raise
