# entry: f
# args: 2.0
# exit: 3
# message: this kind of exception is not supported
# line: 11


def f(x):
    try:
        return 1.0 / x
    except Unknown:
        return 0.0
