# entry: f
# args: 0.7, 9.0
# args: 1.5, 20.0
# note: slices of lists are written to, elements deleted, lists sorted in place
def rows(x):
    xs = [x, 2.0, 3.0, x * x, 5.0]
    ys = xs[:]
    xs[::2] = [7.0, x * 3.0, x]
    xs[1:1] = [x, x * x]
    ys[1:3] += [x * x * x]
    ys[10:] = (x, 1.0)
    ys[-2:-1] = []
    del ys[0]
    del xs[1:2]
    xs[:2] = [v * v for v in xs[:3]]
    return xs[0] + 2.0 * xs[1] * xs[2] + 3.0 * xs[3] * xs[4] + ys[0] * ys[1] * ys[2] * ys[3] + len(xs) * len(ys)


def dicts(x):
    d = {"a": x, "b": 2.0, "c": x * x}
    del d["b"]
    return sum(d.values()) * len(d)


def grown(x, most):
    xs = [x + 1.0]
    while xs[-1] < most:
        xs.append(xs[-1] * (x + 1.0))
        xs.append(xs[-1] * (x + 1.0))
        del xs[0]
    xs.append(1.0)
    del xs[-1]
    return xs[0] * xs[-1]


def sorted_lists(x):
    pairs = [(x, 1.0), (0.5, x)]
    pairs.sort(key=lambda p: p[0])
    table = [[3.0, x], [x, 1.0]]
    table[0].sort(reverse=True)
    table[1].sort()
    return pairs[0][1] * 3.0 + table[0][0] * table[1][0]


def f(x: float, most: float) -> float:
    return rows(x) + dicts(x) + grown(x, most) + sorted_lists(x)
