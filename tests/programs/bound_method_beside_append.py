# entry: f
# args: 0.8
# note: a list is changed while methods, bound to instances, are values that are called later
from dataclasses import dataclass
from typing import Callable
import math


@dataclass(frozen=True)
class Wave:
    a: float
    g: Callable

    def at(self, y):
        return self.g(y) * 0.5 + self.a

    def twice(self):
        return Wave(self.a * 2.0, self.at)


def f(x):
    print("at", x)
    values = [math.sin(y) for y in [x, x]]
    table = {"line": (lambda k: lambda y: y * k)(x), "wave": Wave(x, math.sin).at}
    values.append(math.tanh(x if x < 1.0 else 1.0))
    return table["line"](x) * Wave(x, math.sin).twice().a + sum(values)
