# entry: f
# args: 2.0
# exit: 2
# message: break
# line: 10


def f(x):
    if x > 1.0:
        break
    return x
