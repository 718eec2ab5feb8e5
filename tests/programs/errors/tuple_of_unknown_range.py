# entry: f
# args: 2.0
# exit: 2
# message: write a `for` loop over the range
# line: 9


def f(x):
    return x * sum(tuple(range(int(x))))
