# entry: f
# args: 1.5, 70
# exit: 1
# message: integer overflow
# line: 11


def f(x, n):
    k = 1
    for i in range(n):
        k = k * 2
    return x * k
