# entry: f
# args: 2.0, 0
# exit: 1
# message: step
# line: 10


def f(x, n):
    total = 0.0
    for i in range(0, 10, n):
        total += x
    return total
