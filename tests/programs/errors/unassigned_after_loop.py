# entry: f
# args: 2.0, 3
# exit: 2
# message: last
# line: 11


def f(x, n):
    for i in range(n):
        last = x * i
    return last
