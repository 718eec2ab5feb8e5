# entry: f
# args: 2.0
# order: 2
# closed: [x*2 + 8*x]
# note: `in`, `index` and `count` ask the class when two instances are equal
from dataclasses import dataclass


@dataclass(frozen=True)
class Near:
    v: float
    def __eq__(self, other):
        return abs(self.v - other.v) < 1.0


def f(x):
    near, far = Near(x + 0.5), Near(x + 5.0)
    y = x * x if Near(x) in [far, near] else 0.0
    y = y + (0.0 if Near(x) in (far,) else x * x)
    return y + x * x * ([far, near].index(Near(x)) + [far, near, near].count(Near(x)))
