# entry: f
# args: 2.0
# exit: 2
# message: the variable `y` may be unassigned here
# line: 11


def f(x):
    y = x * x
    del y
    return y
