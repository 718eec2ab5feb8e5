# entry: f
# args: 1.3
# note: `getattr` with a name that is written there: fields, properties, methods
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: float
    y: float

    @property
    def area(self):
        return self.x * self.y

    def scaled(self, by):
        return self.x * by


def f(x):
    p = Point(x, 2.0)
    return getattr(p, "x") * getattr(p, "area") + getattr(p, "scaled")(3.0)
