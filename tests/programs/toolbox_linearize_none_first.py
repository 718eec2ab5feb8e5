# entry: f
# args: 0.7, 4
# args: -1.3, 2
# wrt: 0
# note: what is None before a loop and an instance after it is given a tangent and a cotangent
from dataclasses import dataclass
from typing import Optional

from gradus import linearize, vjp


@dataclass(frozen=True)
class Cell:
    k: float
    next: Optional["Cell"] = None


def total(c):
    return 0.0 if c is None else c.k * c.k


def build(x, n):
    c = None
    while n > 0:
        c = Cell(x * n, c)
        n -= 1
    return c


def forwards(x, n):
    c = None
    while n > 0:
        c = Cell(x, None)
        n -= 1
    return linearize(total, c)[1](c)


def f(x, n):
    y, pull = vjp(lambda c: c, build(x, n))
    (g,) = pull(build(x, n))
    return forwards(x, n) + g.k * g.next.k * y.k
