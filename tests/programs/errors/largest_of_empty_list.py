# entry: f
# args: 1.5
# exit: 1
# message: index out of range
# line: 10


def f(x):
    found = [v for v in [x, 2.0] if v > 10.0]
    return max(found)
