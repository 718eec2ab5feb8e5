# entry: f
# args: 2.0
# exit: 3
# message: yield
# line: 9


def f(x):
    yield x
