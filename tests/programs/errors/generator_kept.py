# entry: f
# args: 2.0
# exit: 3
# message: a generator is supported as an argument of a builtin only
# line: 9


def f(x):
    g = (e * x for e in (x, 2.0))
    return sum(g)
