# entry: f
# args: 2.0
# exit: 2
# message: float
# line: 9


def f(x):
    y: float = (x, x)
    return y[0]
