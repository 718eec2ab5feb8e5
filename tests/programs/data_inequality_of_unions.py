# entry: f
# args: 2.0
# args: 0.5
# order: 2
# note: `!=` of what is of one of two classes, or None, is found by their `==`
from dataclasses import dataclass


@dataclass(frozen=True)
class Near:
    x: float

    def __eq__(self, other):
        return abs(self.x - other.x) < 1.0


@dataclass(frozen=True)
class Far:
    x: float

    def __eq__(self, other):
        return abs(self.x - other.x) < 10.0


def f(x):
    u = Near(x) if x > 1.0 else Far(x)
    y = x * x if u != Far(x + 5.0) else 3.0 * x
    v = Near(x) if x > 1.0 else None
    if v is not None and v != Near(x + 0.5):
        y = y + x
    return y + (x * x * x if u == Far(x) else x)
