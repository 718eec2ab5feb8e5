# entry: f
# args: 2.0
# exit: 2
# message: has no attribute `z`
# line: 16
# note: a field that the class does not have, though another class has it
from dataclasses import dataclass
@dataclass(frozen=True)
class Point:
    x: float
@dataclass(frozen=True)
class Space:
    z: float
def f(x):
    p = Point(x)
    return p.z + Space(x).z
