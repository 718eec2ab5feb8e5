# entry: f
# args: 2.5
# exit: 2
# message: int
# line: 8, 12


def f(x):
    return g((x, x))


def g(n: int):
    return n * 2
