# entry: f
# args: 0.7
# args: 1.5
# note: named tuples that calls make, and methods with the names of those of lists
import collections
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from typing import NamedTuple

P = namedtuple("P", ["x", "y"])
Q = collections.namedtuple("Q", "x y, z", defaults=(1.0,))
R = NamedTuple("R", [("a", float), ("b", P)])


@dataclass(frozen=True)
class Stack:
    values: tuple

    def get(self, i):
        return self.values[i]

    def pop(self):
        return Stack(self.values[:-1])

    def sort(self):
        return Stack(tuple(sorted(self.values)))

    def append(self, x):
        return Stack(self.values + (x,))

    def index(self, k):
        return k


def f(x: float) -> float:
    p = P(x, y=2.0 * x)
    q = Q(x, p.y)
    a, b = p
    r = R(x, p._replace(x=3.0))
    d = OrderedDict([("a", x), ("b", x * x)])
    s = Stack((x, 2.0 * x, 0.5)).append(x * x)
    numbers = [x, 3.0]
    numbers.append(x * b)
    numbers.sort()
    return p.x * q.z + p[1] * a + b + r.b.x * r.a + d["b"] + s.get(1) * s.pop().sort().get(0) + s.index(2) + numbers[0]
