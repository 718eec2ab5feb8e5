# entry: f
# args: 2.0, 0
# exit: 1
# message: `last` has no value here
# line: 11


def f(x, n):
    for i in range(n):
        last = x * i
    return last
