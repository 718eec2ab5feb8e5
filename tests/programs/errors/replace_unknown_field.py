# entry: f
# args: 2.0
# exit: 2
# message: no field `z`
# line: 13
from dataclasses import dataclass, replace
@dataclass(frozen=True)
class Point:
    x: float
    y: float = 0.0

def f(x):
    return replace(Point(x), z=x).x
