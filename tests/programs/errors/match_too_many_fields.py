# entry: f
# args: 2.0
# exit: 2
# message: `Point` has 2 fields
# line: 14
# note: a pattern of a class with more parts than it has fields
from dataclasses import dataclass
@dataclass(frozen=True)
class Point:
    x: float
    y: float
def f(x):
    match Point(x, x):
        case Point(a, b, c):
            return a
