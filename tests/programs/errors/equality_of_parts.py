# entry: f
# args: 2.0
# exit: 2
# message: `==` of what holds a Near
# line: 18
# note: the class says when its instances are equal; tuples would be compared field by field
from dataclasses import dataclass


@dataclass(frozen=True)
class Near:
    v: float
    def __eq__(self, other):
        return abs(self.v - other.v) < 1.0


def f(x):
    return x if (Near(x), 1) == (Near(x + 0.5), 1) else 0.0
