# entry: f
# args: 2.0
# exit: 2
# message: `norm`
# line: 12
# note: a method that no class defines
from dataclasses import dataclass
@dataclass(frozen=True)
class Point:
    x: float
def f(x):
    return Point(x).norm()
