# entry: f
# args: 2.0
# exit: 2
# message: did you mean `area`?
# line: 20
# note: a method that no class has
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: float
    y: float = 1.0

    def area(self):
        return self.x * self.y


def f(x):
    return Point(x).aera()
