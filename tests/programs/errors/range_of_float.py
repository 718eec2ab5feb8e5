# entry: f
# args: 2.0
# exit: 2
# message: float
# line: 10


def f(x):
    total = 0.0
    for i in range(x):
        total += i
    return total
