# entry: f
# args: 2.5
# exit: 2
# message: int
# line: 8


def f(n: int):
    return n * 2
