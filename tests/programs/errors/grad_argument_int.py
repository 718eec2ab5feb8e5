# command: grad
# entry: f
# args: 2.0, 3
# wrt: 1
# exit: 2
# message: derivative in it is asked for
# line: 12


def f(x, n):
    r = 1.0
    for i in range(n):
        r = r * x
    return r
