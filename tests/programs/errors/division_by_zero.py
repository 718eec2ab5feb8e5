# entry: f
# args: 2.0, 0
# exit: 1
# message: integer division by zero
# line: 9


def f(x, n):
    k = 7 // n
    return x * k
