# entry: f
# args: 0.8
# note: a recursion that is handed what it returned, methods bound to instances that hold closures
from dataclasses import dataclass
from typing import Callable
import math


@dataclass(frozen=True)
class Wave:
    a: float
    g: Callable

    def at(self, y):
        return self.g(y) * 0.5 + self.a

    def __add__(self, other):
        return Wave(self.a + other.a, lambda y: self.g(y) + other.g(y) * 0.5)


def waves(n, table):
    if n <= 0:
        return lambda y: y * y
    for _ in range(2):
        table = {"a": waves(n - 1, table), "b": math.sin}
    return (Wave(1.25, math.sin) + Wave(0.5, math.tanh)).at


def f(x):
    return waves(3, {"a": math.sin, "b": (lambda y: y + x)})(x)
