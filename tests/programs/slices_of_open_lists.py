# entry: f
# args: 0.7
# args: 1.7
# note: slices of lists whose length only the run knows are written, and deleted


def f(t):
    w = [t, 1.0, 0.5 * t]
    n = 0
    while n < t * 4.0:
        w.append(n * t)
        n += 1
    w[:1] = [t, t]
    w[2:3] = []
    w[1:2] += [2.0, t]
    w[::2] = [v * 2.0 for v in w[::2]]
    w[5:2] = [7.0]
    z = [1.0, 2.0]
    z[1:] = w
    z[:0] = z[1:3]
    k = 1 + int(t)
    y = [t, 2.0, 3.0, 4.0]
    y[k : k + 2] = [9.0]
    del w[1:3]
    return sum([v * v for v in w]) + sum(z) * 10.0 + sum(y) * 100.0 + len(w) + len(z)
