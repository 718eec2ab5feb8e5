# entry: f
# args: 10, 19
# exit: 1
# message: integer overflow
# line: 9


def f(n, k):
    return n**k
