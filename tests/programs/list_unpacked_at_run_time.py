# entry: f
# args: 0.9
# args: 1.3
# note: lists that begin as empty ones are unpacked, with a star before, after and between other names


def f(x):
    xs = []
    for i in range(int(x * 5)):
        xs.append(x * x * (i + 1.0))
    a, *b = xs
    *c, d = xs
    e, *g, h = xs
    ys = []
    while len(ys) < x + 1.0:
        ys.append(x * len(ys) + 1.0)
    p, q = ys[:2]
    return a * sum(b) + sum(c) * d + e * h * len(g) + p * q
