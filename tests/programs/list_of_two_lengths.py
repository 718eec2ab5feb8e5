# entry: f
# args: 2.0
# args: 0.5
# note: a list that a branch makes longer, and one that is too long to be unrolled


def f(x):
    l = []
    if x > 1:
        l.append(x)
    s = len(l) * x
    for e in [x * i for i in range(1200)]:
        s += e * e
    return s + sum(l)
