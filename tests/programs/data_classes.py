# entry: f
# args: 1.5
# args: 0.25
# note: static and class methods, methods and defaults by way of the class, `replace`, comparisons that are no bools, `__len__` as truth
import dataclasses
import math
from dataclasses import dataclass, replace
from typing import NamedTuple, Optional


@dataclass(frozen=True)
class Margin:
    by: float

    def __bool__(self):
        return self.by > 0.0


@dataclass(frozen=True)
class Vec:
    x: float
    y: float = 1.0

    @staticmethod
    def unit(t):
        return Vec(t / t, 0.0)

    @classmethod
    def polar(cls, r, angle):
        return cls(r * math.cos(angle), r * math.sin(angle))

    @classmethod
    def sum_of_two(cls, r):
        return cls.polar(r, r).plus(cls.unit(r))

    def plus(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __lt__(self, other):
        return Margin(other.x - self.x)

    def __eq__(self, other):
        return Margin(0.5 - abs(other.x - self.x))

    def __len__(self):
        return 2 if self.x > 0.0 else 0


@dataclass(frozen=True)
class Point(Vec):
    z: float = 3.0


@dataclass(frozen=True)
class Cell:
    value: float
    rest: Optional["Cell"] = None


class Pair(NamedTuple):
    a: float
    b: float


def f(x):
    a = Vec.polar(x, x * x)
    b = Vec.sum_of_two(x)
    c = Vec.plus(a, b)
    d = dataclasses.replace(c, x=x)
    cells = replace(Cell(x, Cell(2.0 * x)), value=x * x)
    p = Point.polar(x, x)
    r = a.x * b.y + c.x * d.x * d.y + Vec.unit(x).x + Vec.y + cells.value * cells.rest.value + p.z * p.x
    if a < b:
        r = r * 2.0
    if a < b < c:
        r = r * x
    if not (a == b):
        r = r + x
    if a and not Vec(-x):
        r = r * x
    while a < c and r < 100.0:
        r = r * 2.0
    r = r + (x if isinstance(Pair(x, x), tuple) else 0.0)
    return r + (x if isinstance({"a": x}, dict) and not isinstance(x, (dict, tuple)) else 0.0)
