# entry: f
# args: 0.7, 5
# args: 1.2, 3
# note: a method by another name, which a base may have; keywords of partial where functions have effects
from dataclasses import dataclass
from functools import partial


@dataclass(frozen=True)
class Dual:
    re: float
    ep: float = 0.0

    def __add__(self, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(self.re + o.re, self.ep + o.ep)

    __radd__ = __add__

    def __mul__(self, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(self.re * o.re, self.re * o.ep + self.ep * o.re)

    __rmul__ = __mul__
    times = __mul__


@dataclass(frozen=True)
class Doubled(Dual):
    def twice(self, o):
        return self * o + self * o

    times = twice


def scaled(a, b, c=2.0, *, d=1.0):
    return a * b + c * d


def f(x: float, n: int) -> float:
    total = 0.0

    def add(v):
        nonlocal total
        total += v
        return total

    d, r = Dual(x, 1.0), Dual(1.0)
    for i in range(n):
        r = r * d + 2.0 * d + (1.0 + r)
    g = partial(scaled, x, d=x)
    add(r.ep)
    add(d.times(r).ep * Doubled(x, x).times(d).ep)
    return g(2.0) + g(b=x, c=3.0) + add(x)
