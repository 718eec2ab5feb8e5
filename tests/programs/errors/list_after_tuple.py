# entry: f
# args: 2.0
# exit: 2
# message: list(a) + b
# line: 9


def f(x):
    both = (x, 1.0) + [2.0]
    return sum(both)
