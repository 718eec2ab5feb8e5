# entry: f
# args: -2.0
# exit: 1
# message: negative
# line: 10


def f(x):
    if x < 0:
        raise ValueError("negative")
    return x**0.5
