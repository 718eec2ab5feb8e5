# entry: f
# args: 2.0
# note: an operator that changes a variable of another function, where `sum` calls it
from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Meter:
    step: Callable
    v: float
    def __add__(self, other):
        return Meter(self.step, self.step(self.v + other.v))


def f(x):
    total = 0.0
    def step(v):
        nonlocal total
        total = total + v
        return total
    zero = Meter(step, 0.0)
    return sum([Meter(step, x), Meter(step, x)], zero).v + total
