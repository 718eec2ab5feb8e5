# entry: f
# args: 1.5
# args: -0.75
# order: 2
# note: what properties and operators of classes do to variables that they share
from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Meter:
    step: Callable
    v: float

    @property
    def read(self):
        return self.step(self.v)

    def __add__(self, other):
        return Meter(self.step, self.v + self.step(other.v))

    def __radd__(self, other):
        return self.step(other)

    def __neg__(self):
        return -self.step(self.v)

    def __getitem__(self, i):
        return self.step(self.v * i)

    def __len__(self):
        self.step(2.0)
        return 3

    def __bool__(self):
        return self.step(self.v) < 100.0

    def __eq__(self, other):
        return self.step(other.v) == self.v

    def __lt__(self, other):
        return self.step(self.v) < other.v

    def __contains__(self, v):
        return self.step(v) > 100.0

    def __matmul__(self, other):
        return self.step(self.v * other.v)


@dataclass(frozen=True)
class Plain:
    v: float

    @property
    def read(self):
        return self.v * 2.0

    def __add__(self, other):
        return Plain(self.v * other.v)


def f(x):
    total = 0.0
    def step(v):
        nonlocal total
        total = total * 0.5 + v * x
        return total
    a, b = Meter(step, x), Meter(step, 2.0 * x)
    y = a.read + (a + b).v + (3.0 + a) + -b + a[2] + len(b) * x + a @ b
    y = y + (x if a else 0.0) + (x if a == b else 2.0 * x) + (x if a < b else 3.0 * x) + (x if x in a else 0.0)
    pair = [Plain(x), Plain(x)]
    y = y + (pair[0] + pair[1]).read + total
    if x in [x, 2.0] and not (a == a):
        y = y + total
    return y
