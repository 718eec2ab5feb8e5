# entry: f
# args: 1.5
# exit: 1
# message: ZeroDivisionError
# line: 9


def inverse(v):
    return 1 / v


def f(x):
    # The library does not hand on what it raises, so that the run ends.
    try:
        return max([x, x - x], key=inverse)
    except ZeroDivisionError:
        return -1.0
