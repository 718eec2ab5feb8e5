# entry: f
# args: 1.5
# exit: 3
# message: is not supported at the top level
# line: 19


def make(x):
    n = x

    def inc(v):
        nonlocal n
        n = n + v
        return n

    return inc


inc = make(1.0)


def f(x):
    inc(x)
    return inc(x)
