# entry: f
# args: 2.0
# exit: 2
# message: tuple
# line: 10


def f(x):
    t = (x, 1.0)
    return x + t
