# entry: f
# args: 1.3, 4
# args: -0.4, 2
# note: generators that are unpacked, gone over by a loop, and added to a list


def f(x, n):
    p, q = (v * x for v in (1.0, x))
    t = 0.0
    for v in (u * p for u in (1.0, 2.0, q)):
        t = t + v * q
    out = []
    for v in (v * x for v in range(n)):
        out.append(v)
    out.extend(u * x for u in (3.0, q))
    for a, b in ((u, u * q) for u in out if u > 0.0):
        t = t + a / (1.0 + b * b)
    return t + sum(out) + sum([v * v for v in (u + q for u in out)])
