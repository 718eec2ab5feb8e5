# entry: f
# args: 2.0
# exit: 3
# message: `__iadd__` is not supported
# line: 14
# note: `+=` was `__add__`, whatever else the class said
from dataclasses import dataclass

@dataclass(frozen=True)
class Meter:
    v: float
    def __add__(self, other):
        return Meter(self.v + other)
    def __iadd__(self, other):
        return Meter(self.v + 2.0 * other)

def f(x):
    m = Meter(x)
    m += 1.0
    return m.v
