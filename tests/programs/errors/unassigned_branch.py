# entry: f
# args: 0.5
# exit: 1
# message: `result` has no value here
# line: 12
# note: where some paths bring a value and others do not, the run decides


def f(x):
    if x > 1.0:
        result = x
    return result
