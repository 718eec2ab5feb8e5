# entry: f
# args: 2.0
# exit: 2
# message: unknown name `e`
# line: 10


def f(x):
    s = sum(e * e for e in (x, 2.0))
    return s + e
