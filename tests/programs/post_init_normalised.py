# entry: f
# args: 0.7, 3
# args: 1.3, 2
# order: 2
# wrt: 0
# note: a dataclass that puts other values into its fields once they are made
from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    x: float
    y: float

    def __post_init__(self):
        if self.norm() > 1.0:
            n = self.norm()
            object.__setattr__(self, "x", self.x / n)
            object.__setattr__(self, "y", self.y / n)

    def norm(self):
        return (self.x**2 + self.y**2) ** 0.5


def f(x: float, n: int) -> float:
    u = Unit(3.0 * x, 4.0)
    v = Unit(0.1 * x, y=0.2)
    return u.x * u.y + v.x * n
