# entry: f
# args: 2.0
# exit: 3
# message: decorator
# line: 12, 13


def twice(g):
    return lambda x: g(g(x))


@twice
def f(x):
    return x * x
