# entry: f
# args: [1.0, 2.0, 3.0], 9
# args: [1.0, 2.0, 3.0], 2
# wrt: 0
# note: elements that some iterations read: in the others the counter is no index, and the adjoint must not read there either
def f(x, n):
    s = 0.0
    for i in range(n):
        t = x[0]
        if i < 3:
            t = x[i] * x[i]
        s += t * t
        if i > 1:
            if i < 3:
                s += x[i] * t
    return s
