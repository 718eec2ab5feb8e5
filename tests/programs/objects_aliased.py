# entry: f
# args: 1.3
# args: -0.6
# note: one list under several names and in several places; copies are others


def first(a, b):
    return a if a[0] < b[0] else b


def f(x):
    a = [x, 2.0 * x, 0.5]
    b = a
    c = a[:]
    d = list(a) + [x]
    m = [a] * 2
    a += [x * x]
    b[0] = x * 3.0
    m[1][1] *= x
    s = first(a, c)
    s[0] -= 0.25
    del b[2]
    b.insert(1, x)
    t = b.pop()
    return a[0] * b[1] + c[0] * c[1] + d[3] * len(m[0]) + t + (a == b) + (x in m[0])
