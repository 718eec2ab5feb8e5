# entry: f
# args: 9223372036854775807
# exit: 1
# message: integer overflow
# line: 10


def f(n):
    m = n - 1
    return m + 2
