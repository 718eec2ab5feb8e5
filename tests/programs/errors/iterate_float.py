# entry: f
# args: 2.0
# exit: 2
# message: float
# line: 10


def f(x):
    total = 0.0
    for v in x:
        total += v
    return total
