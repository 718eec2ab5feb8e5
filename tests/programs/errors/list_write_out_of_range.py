# entry: f
# args: 2.0, 3.0
# exit: 1
# message: index out of range
# line: 10


def f(x, m):
    l = [x, 2.0 * x, x * x]
    l[int(m)] = 1.0
    return l[0]
