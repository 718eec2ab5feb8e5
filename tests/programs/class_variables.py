# entry: f
# args: 0.7, 3
# args: -1.3, 2
# order: 2
# wrt: 0
# note: variables of classes, with and without ClassVar, read by the instance and by the class
from dataclasses import dataclass
from typing import ClassVar
import math


@dataclass(frozen=True)
class Body:
    G = 9.8
    HALF = G / 2
    STEPS: ClassVar[int] = 3
    NAMES: ClassVar = ("x", "y")
    mass: float
    drag: float = HALF * 0.1

    def energy(self, v):
        return 0.5 * self.mass * v**2 + self.mass * self.G - self.drag * self.HALF

    @staticmethod
    def fall(t):
        return Body.HALF * t * t

    def path(self, t):
        y = 0.0
        for i in range(self.STEPS):
            y += Body.fall(t) / (i + 1)
        return y


class Moon(Body):
    G = 1.6


@dataclass(frozen=True)
class Shape:
    SCALE = math.pi * 2
    kind = "plain"

    def area(self, x):
        return x * self.SCALE if self.kind == "plain" else x


def f(x: float, n: int) -> float:
    b, m = Body(x), Moon(x * x, 0.1)
    total = b.energy(x) + m.energy(2.0) + b.path(x) + Body.G * x + m.G + Moon.G * x
    return total + Shape().area(x) + len(b.NAMES) * Shape.SCALE * x + n * (x if Body.NAMES[1] == "y" else 0.0)
