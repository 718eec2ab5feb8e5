# entry: f
# args: 2.0
# exit: 2
# message: the class `complex` does not define `__lt__`
# line: 9


def f(x):
    return x < x * 1j
