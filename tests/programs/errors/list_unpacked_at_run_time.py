# entry: f
# args: 2.0, 3.0
# exit: 1
# message: index out of range
# line: 10


def f(x, m):
    l = [x * i for i in range(int(m))]
    a, b = l
    return a * b
