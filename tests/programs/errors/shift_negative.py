# entry: f
# args: -3
# exit: 1
# message: negative shift count
# line: 10
# note: as in Python


def f(n):
    return 1 << n
