# entry: f
# args: 1.5, 2.5
# args: 0.7, 3.0
# note: map, filter, sorted, reduce and other functions of Python's library that take functions or sequences
import math
import operator
from functools import partial, reduce


def affine(a, b, c=1.0):
    return a * b + c


def f(x, y):
    t = (x, y, 3.5)
    scaled = list(map(lambda a, b=2.0: a * b * a, t))
    products = list(map(operator.mul, t, scaled))
    folded = reduce(lambda a, b: a * b + x, t) + reduce(operator.add, products, 1.0)
    bound = partial(affine, x, c=y)
    quotient, rest = divmod(y, x)
    ordered = sorted([y * x, x * x, 9.0])
    falling = sorted(t, key=lambda e: -e)
    back = sorted(t, reverse=True)
    floats = sum(filter(lambda e: isinstance(e, float), (x, 2, y)))
    sizes = math.prod(t) + math.fsum(scaled) + math.hypot(x, y, 2.0) + math.prod(t, start=2.0)
    mode = "relu" if 2 in (1, 2, 3) and "a" not in ("b", "c") else "tanh"
    if mode == "relu":
        sizes = sizes * x
    called = affine(x, y) if callable(affine) and not callable(2.0) else 0.0
    mixed = ordered[0] * ordered[2] + falling[0] * falling[2] + back[1] * x + floats + called
    return folded + bound(2.0) * bound(b=3.0) + bound(1.0, c=x) + quotient * x + rest * x + sizes + mixed
