# entry: f
# args: 2.0
# exit: 3
# message: raise
# line: 10


def f(x):
    if x < 0:
        raise ValueError("negative")
    return x**0.5
