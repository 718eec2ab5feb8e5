# entry: f
# args: 2.0
# exit: 2
# message: result
# line: 12
# note: an error at the use, whatever the argument


def f(x):
    if x > 1.0:
        result = x
    return result
