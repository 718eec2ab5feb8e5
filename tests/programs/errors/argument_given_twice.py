# entry: f
# args: 2.0
# exit: 2
# message: angle
# line: 13


def g(angle, b=1.0):
    return angle * b


def f(x):
    return g(x, angle=x)
