# entry: f
# args: 2.0, 1
# exit: 2
# message: an int and a float
# line: 10


def f(x, n):
    t = (1, x, 2)
    return t[n]
