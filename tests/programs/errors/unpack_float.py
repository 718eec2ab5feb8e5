# entry: f
# args: 2.0
# exit: 2
# message: float
# line: 9


def f(x):
    a, b = x
    return a * b
