# entry: f
# args: -9223372036854775808
# exit: 1
# message: integer overflow
# line: 9


def f(n):
    return -n
