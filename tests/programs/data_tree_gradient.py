# entry: f
# args: 1.5
# order: 2
# note: gradients of records and trees inside of a program
from dataclasses import dataclass
from typing import Optional
from gradus import grad

@dataclass(frozen=True)
class Tree:
    value: float
    left: Optional["Tree"] = None
    right: Optional["Tree"] = None

@dataclass(frozen=True)
class Pair:
    a: float
    b: float
    n: int = 2

def total(t):
    if t is None:
        return 1.0
    return t.value * total(t.left) * total(t.right) + t.value

def product(p):
    return p.a**p.n * p.b

def f(x):
    t = Tree(x, Tree(x * x), Tree(2.0, None, Tree(x)))
    g = grad(total)(t)
    h = grad(product)(Pair(x, g.value))
    return g.left.value * g.right.right.value + h.a * h.b
