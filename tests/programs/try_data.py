# entry: f
# args: 1.2, [0.5, 2.0, 1.5]
# wrt: 0
# order: 2
# note: keys, elements and attributes that may not be there, lists that are written to in a `try`


def lookup(d, key, x):
    try:
        return d[key] * x
    except KeyError:
        return x * x


def popped(x):
    stack, total = [x, x * x, 2.0], 0.0
    while True:
        try:
            total = total * x + stack.pop()
        except IndexError:
            return total


def written(x, k):
    xs = [x, 2.0 * x, 3.0]
    try:
        xs[k] = x * x
        xs.remove(3.0)
        return xs[xs.index(4.0)]
    except ValueError:
        return sum(xs)
    except IndexError:
        return xs[0] * 5.0


def f(x, ys):
    d = {"a": x, "b": 2.0}
    total = lookup(d, "a", x) + lookup(d, "c", x) + popped(x)
    for k in range(4):
        total += written(x, k) * (k + 1)
    try:
        total += ys[3]
    except IndexError:
        total += ys[-1] * ys[0]
    return total
