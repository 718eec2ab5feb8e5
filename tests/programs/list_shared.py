# entry: f
# args: 2.0


def f(x):
    l = [x]
    m = l
    l.append(2.0)
    return m[0]
