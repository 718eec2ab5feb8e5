# entry: f
# args: 2.0
# exit: 2
# message: `sorted` of what is no number is not supported
# line: 9


def f(x):
    return sorted([(x, 1.0), (2.0, x)])[0][0]
