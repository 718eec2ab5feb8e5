# entry: f
# args: 1.5
# args: 0.25
# order: 2
# note: dicts that are updated in several ways and matched with a rest; slices that are values; operators by their methods
import itertools
from itertools import chain


def evaluated(node):
    match node:
        case {"op": "mul", **rest}:
            return rest["a"] * rest["b"] * len(rest)
        case {"op": "neg", "a": a}:
            return -a
        case _:
            raise ValueError("unknown")


def peak(x):
    when = None
    for i in range(3):
        if x * i > 2.0:
            when = i * x
    print("peak at", when, "of", x)
    return x


def forever(x):
    while True:
        x = x * 2.0
        if x > 10.0:
            return x
    return never_defined(x)


def f(x):
    d = {"a": 1.0}
    d.update({"b": x}, c=x * 2.0)
    d.update(**{"a": x * x}, d=3.0)
    xs = [x, 2.0, 3.0 * x, 4.0]
    middle, every = slice(1, 3), slice(None, None, 2)
    total = sum(d.values()) + sum(xs[middle]) * sum(xs[every]) + sum(xs[slice(2)])
    total += sum(itertools.chain.from_iterable([[x], (2.0, x * x)])) + sum(y * y for y in chain.from_iterable([xs, xs]))
    total += evaluated({"op": "mul", "a": x, "b": 3.0 * x}) + evaluated({"op": "neg", "a": x})
    total += pow(3, 200, 13) + pow(x, 2) + x.__add__(2.0) + (2.0).__add__(3.0) + x.__mul__(x) + x.__pow__(3) + abs((-x).__neg__())
    return total + peak(x) + forever(x)
    return never_defined(x)
