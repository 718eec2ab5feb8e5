# entry: f
# args: 2.0
# args: -0.5
# by-hand
# closed: [34 * x]
# note: hooks that make instances of a class that refers to itself from cotangents of one, with and without its rest
from dataclasses import dataclass
from typing import Optional

from gradus import hook, vjp


@dataclass(frozen=True)
class Chain:
    w: float
    rest: Optional["Chain"] = None


def total(c):
    return 0.0 if c is None else c.w * c.w + total(c.rest)


def doubled(c):
    return None if c is None else Chain(2.0 * c.w, doubled(c.rest))


def f(x):
    a = total(hook(lambda g: Chain(g.w, g.rest), Chain(x, Chain(2.0 * x))))
    b = total(hook(lambda g: Chain(6.0 * g.w, None), Chain(x, Chain(2.0 * x))))
    y, back = vjp(lambda c: Chain(c.w, c.rest), Chain(x, Chain(x)))
    c = total(back(y)[0])
    d = total(hook(doubled, Chain(x)))
    return a + b + 2.0 * c + d
