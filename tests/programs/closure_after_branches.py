# entry: f
# args: 0.7, 1.5
# args: -0.4, 1.5
# order: 2
# wrt: 0
# note: a list is read in a nested function after branches, of which only one is ever taken


def f(t, u):
    w = [t, u, t * u]
    if len(w) > 2:
        if t > 0.2:
            w.pop()
        for v in w[:]:
            w.append(v * t)
    return sum([v * v for v in w])
