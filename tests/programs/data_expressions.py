# entry: f
# args: 0.5
# args: 1.5
# order: 2
# note: an evaluator of expression trees
from dataclasses import dataclass
import math

class Expr:
    def __add__(self, other):
        return Add(self, other)

    def __mul__(self, other):
        return Mul(self, other)

@dataclass(frozen=True)
class Const(Expr):
    value: float

    def eval(self, x):
        return self.value

@dataclass(frozen=True)
class Var(Expr):
    def eval(self, x):
        return x

@dataclass(frozen=True)
class Add(Expr):
    left: Expr
    right: Expr

    def eval(self, x):
        return self.left.eval(x) + self.right.eval(x)

@dataclass(frozen=True)
class Mul(Expr):
    left: Expr
    right: Expr

    def eval(self, x):
        return self.left.eval(x) * self.right.eval(x)

@dataclass(frozen=True)
class Sin(Expr):
    of: Expr

    def eval(self, x):
        return math.sin(self.of.eval(x))

def polynomial(n, c):
    e = Const(c)
    for i in range(n):
        e = e * Var() + Const(c * i)
    return e

def f(x):
    e = polynomial(3, x) + Sin(Var() * Var())
    return e.eval(x) * Mul(Var(), Const(2.0)).eval(x)
