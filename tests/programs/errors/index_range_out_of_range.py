# entry: f
# args: 2.0, 3
# exit: 1
# message: index out of range
# line: 9


def f(x, n):
    return x * range(n)[n]
