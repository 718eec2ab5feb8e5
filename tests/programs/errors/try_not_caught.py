# entry: f
# args: 2.0
# exit: 1
# message: ValueError: too large
# line: 10


def check(x):
    if x > 1.0:
        raise ValueError("too large")
    return x


def f(x):
    try:
        return check(x)
    except KeyError:
        return 0.0
