# entry: f
# args: 2.0
# exit: 2
# message: `l` is an empty tuple here and a tuple of (float) elsewhere
# line: 9


def f(x):
    l = []
    if x > 1:
        l.append(x)
    return len(l)
