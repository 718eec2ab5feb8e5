# entry: f
# args: 0.5, 3
# args: 1.5, 2
# wrt: 0
# order: 2
# note: two classes at a join, with methods of both, and isinstance
import math
from dataclasses import dataclass

class Shape:
    def area(self):
        return 0.0

    def twice(self):
        return 2.0 * self.area()

@dataclass(frozen=True)
class Circle(Shape):
    radius: float

    def area(self):
        return math.pi * self.radius**2

@dataclass(frozen=True)
class Rect(Shape):
    width: float
    height: float

    def area(self):
        return self.width * self.height

def make(x, i):
    if i % 2 == 0:
        return Circle(x * i + 1.0)
    return Rect(x, x + i)

def f(x, n):
    total = 0.0
    for i in range(n):
        s = make(x, i)
        total = total * x + s.twice()
        if isinstance(s, Rect):
            total = total + s.width
    return total
