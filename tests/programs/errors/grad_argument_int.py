# command: grad
# entry: f
# args: 2.0, 3
# wrt: 1
# exit: 2
# message: int


def f(x, n):
    return x**n
