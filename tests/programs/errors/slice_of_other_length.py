# entry: f
# args: 2.0
# exit: 2
# message: the slice has 3 values, but 1 was given
# line: 10


def f(x):
    y = [x, 3.0, 4.0, x, x]
    y[::2] = [1.0]
    return y[0]
