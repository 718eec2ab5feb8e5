# entry: f
# args: 2.0, 3.0
# exit: 2
# message: these are a float and a tuple of (float, float)
# line: 11


def f(x, n):
    l = [x * i for i in range(int(n))]
    if x > 1:
        l.append((x, x))
    return l[0]
