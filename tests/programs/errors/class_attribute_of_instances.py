# entry: f
# args: 2.0
# exit: 2
# message: instances have it: write `Point(…).x`
# line: 16
# note: a field is one of instances, not of the class
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: float


def f(x):
    return Point.x
