# entry: f
# args: 2.0
# exit: 2
# message: index
# line: 10


def f(x):
    t = (x, x * x)
    return t[2]
