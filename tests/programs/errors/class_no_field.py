# entry: f
# args: 2.0
# exit: 2
# message: the fields of Point are `x`, `y`, the methods of Point are `area`
# line: 21
# note: a field that a new instance does not have; the hint names those that it has
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: float
    y: float = 1.0

    def area(self):
        return self.x * self.y


def f(x):
    return Point(x, 1.0).area() + \
        Point(x, 1.0).z
