# entry: f
# args: 7, 0
# exit: 1
# message: integer division by zero
# line: 9


def f(n, k):
    return n % k
