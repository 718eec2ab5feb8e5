# entry: f
# args: 1.25
# order: 2
# note: the product of the second derivatives by instances with a tangent, which is an instance
from dataclasses import dataclass
from typing import Optional
from gradus import grad, hvp


@dataclass(frozen=True)
class Tree:
    value: float
    power: int
    left: Optional["Tree"] = None
    right: Optional["Tree"] = None


def total(t):
    if t is None:
        return 1.0
    return t.value**t.power * total(t.left) * total(t.right) + t.value


def f(x):
    t = Tree(x, 2, Tree(x * x, 1), Tree(0.5, 3, None, Tree(x, 2)))
    h = hvp(total, t, grad(total)(t))
    return h.value * 1e-3
