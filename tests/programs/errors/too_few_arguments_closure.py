# entry: f
# args: 2.0
# exit: 2
# message: argument
# line: 10
# note: what is called is known by its value only


def apply(g, x):
    return g(x)


def f(x):
    return apply(lambda a, b: a * b, x)
