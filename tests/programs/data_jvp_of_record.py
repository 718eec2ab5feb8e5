# entry: f
# args: 0.4
# order: 2
# note: the tangent of a record is a record
from dataclasses import dataclass
from gradus import jvp

@dataclass(frozen=True)
class Point:
    x: float
    y: float

def area(p, scale):
    return p["w"].x ** 2 * p["w"].y * scale + p["b"]

def f(x):
    p = {"w": Point(x, x + 1.0), "b": x * x}
    y, dy = jvp(area, (p, x), ({"w": Point(1.0, x), "b": 3.0}, None))
    return y * dy
