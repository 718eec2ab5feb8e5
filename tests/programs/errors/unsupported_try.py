# entry: f
# args: 2.0
# exit: 3
# message: try
# line: 9


def f(x):
    try:
        return 1.0 / x
    except ZeroDivisionError:
        return 0.0
