# entry: f
# args: 2, -1
# exit: 1
# message: negative power
# line: 9


def f(n, k):
    return n**k
