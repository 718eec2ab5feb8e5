# entry: f
# args: 2.0
# exit: 3
# message: an iterator that is kept must be taken once
# line: 14


def parts(x):
    yield x
    yield x * 2.0


def f(x):
    g = parts(x)
    return sum(g) + sum(g)
