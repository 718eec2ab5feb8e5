# entry: total
# args: 0.7, 5
# args: 1.3, 4
# note: methods that change lists, of lengths that the program has and that the run decides; where values are
def fixed(x):
    xs = [x, 3.0 * x, -x]
    xs.insert(1, 4.0 * x)
    xs.insert(-1, x * x)
    xs.insert(100, 7.0)
    first = xs.pop(0)
    last = xs.pop(-2)
    xs.reverse()
    ys = [1.0, x]
    ys.clear()
    ys.append(x)
    return first * xs[0] + last * xs[1] + xs[2] * xs[3] * len(xs) + ys[0] * len(ys)


def places(x):
    ks = [1, 2, 3, 1]
    ks.remove(2)
    names = ["a", "b"]
    return x * ks[1] + ks.index(3) * x * x + ks.count(1) * x**3 + names.index("b") * x**4


def grown(x, n):
    xs = []
    for i in range(n):
        xs.insert(0, x**i)
    xs.reverse()
    y = xs.pop(1)
    xs.insert(2, y * y)
    return y * xs[1] + xs[2] * len(xs)


def total(x: float, n: int) -> float:
    return fixed(x) + places(x) + grown(x, n)
