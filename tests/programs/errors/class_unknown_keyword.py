# entry: f
# args: 2.0
# exit: 2
# message: it is `Point(x, y=…, *, scale)`
# line: 16
# note: an argument that a dataclass does not take; the hint shows those that it takes
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Point:
    x: float
    y: float = 1.0
    scale: float = field(kw_only=True)
def f(x):
    return Point(x, scale=x, z=x).x
