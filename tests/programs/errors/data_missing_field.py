# entry: f
# args: 2.0
# exit: 2
# message: `y`
# line: 13
# note: an instance without one of its fields
from dataclasses import dataclass
@dataclass(frozen=True)
class Point:
    x: float
    y: float
def f(x):
    return Point(x).x
