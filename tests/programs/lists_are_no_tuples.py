# entry: f
# args: 1.5, 3
# args: -0.5, 2
# note: a list of known length is represented as a tuple, but is none: by `isinstance`, `==` and the type of what is made of it
from copy import deepcopy


def kind(x):
    if isinstance(x, list):
        return 1.0
    if isinstance(x, tuple):
        return 10.0
    return 100.0


def kinds(*xs):
    return sum([kind(x) * (i + 1) for i, x in enumerate(xs)])


def f(x, n):
    known, pair, grown = [x, 2.0 * x], (x, 3.0), []
    for i in range(n):
        grown.append(x * i)
    a = kinds(known, pair, grown, known[1:], pair[:1], known + known, 2 * pair, [*pair], (*known, x), x)
    first, *rest = pair
    b = kinds(rest, list(pair), tuple(known), sorted(pair), [v for v in pair], list(range(2)), "a b".split(), deepcopy(known))
    known += (x,)
    known.append(first)
    c = kinds(known, deepcopy(pair), [pair][0], (grown,)[0])
    d = (1.0 if known == pair else 2.0) + (4.0 if [x] == [x] else 8.0) + (16.0 if (x, 1) != [x, 1] else 32.0)
    return x * (a + b + c + d) + known[-1] * sum(rest)
