# entry: f
# args: 1.5
# args: -0.5
# order: 2
# note: dual numbers written in the language: forward mode by hand, differentiated
import math
from dataclasses import dataclass

@dataclass(frozen=True)
class Dual:
    value: float
    tangent: float = 0.0

    def __add__(self, other):
        o = lift(other)
        return Dual(self.value + o.value, self.tangent + o.tangent)

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self + -lift(other)

    def __rsub__(self, other):
        return lift(other) - self

    def __neg__(self):
        return Dual(-self.value, -self.tangent)

    def __mul__(self, other):
        o = lift(other)
        return Dual(self.value * o.value, self.tangent * o.value + self.value * o.tangent)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        o = lift(other)
        return Dual(self.value / o.value, (self.tangent - self.value / o.value * o.tangent) / o.value)

    def __rtruediv__(self, other):
        return lift(other) / self

    def __pow__(self, n):
        return Dual(self.value**n, n * self.value ** (n - 1) * self.tangent)

def lift(x):
    return x if isinstance(x, Dual) else Dual(x)

def sin(x):
    return Dual(math.sin(x.value), math.cos(x.value) * x.tangent)

def derivative(f, x):
    return f(Dual(x, 1.0)).tangent

def program(x):
    y = 1.0 + x * 2.0
    for i in range(3):
        y = y * x - sin(y) / (1.0 + x * x)
    return (3.0 - y) ** 2 / 2.0 + 1.0 / (2.0 + x * x)

def f(x):
    return derivative(program, x) * x
