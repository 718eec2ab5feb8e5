# entry: f
# args: 2.0, 6
# exit: 3
# message: &
# line: 9


def f(x, n):
    return x * (n & 3)
