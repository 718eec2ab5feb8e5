# entry: f
# args: 2.0
# exit: 3
# message: `order` must be True or False
# line: 12
# note: the options of a dataclass are constants that are written there
from dataclasses import dataclass

ORDERED = True


@dataclass(frozen=True, order=ORDERED)
class Point:
    x: float


def f(x):
    return Point(x).x
