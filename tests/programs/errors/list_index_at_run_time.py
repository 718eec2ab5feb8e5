# entry: f
# args: 2.0, 3.0
# exit: 1
# message: index out of range
# line: 11


def f(x, m):
    l = [x * i for i in range(int(m))]
    if x > 1.0:
        return l[int(m)]
    return l[0]
