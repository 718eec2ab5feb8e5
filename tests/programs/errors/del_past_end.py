# entry: f
# args: 2.0
# exit: 1
# message: index out of range
# line: 10


def f(x):
    y = [x, 3.0]
    del y[2]
    return y[0]
