# entry: f
# args: 2.0
# exit: 2
# message: an int and a float
# line: 10


def f(x):
    t = (1, x, 2)
    return t[int(x)]
