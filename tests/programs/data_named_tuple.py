# entry: f
# args: 0.5
# args: -1.5
# order: 2
# note: an instance of a named tuple is a tuple
from typing import NamedTuple

class Point(NamedTuple):
    x: float
    y: float
    z: float = 3.0

    def scaled(self, factor):
        return Point(*[v * factor for v in self])

def f(x):
    p = Point(x, x * x).scaled(x)
    s = 0.0
    for v in p:
        s = s * x + v
    a, b, c = p
    return s + sum(p) * a + len(p) + sum(u * v for u, v in zip(p, p)) + p[-1] * p[0:2][1]
