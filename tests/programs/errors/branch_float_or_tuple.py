# entry: f
# args: 2.0
# exit: 2
# message: tuple
# line: 10, 11, 13, 14
# note: both places are shown; any of them may come first


def f(x):
    if x > 1.0:
        y = x
    else:
        y = (x, x)
    return y
