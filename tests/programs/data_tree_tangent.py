# entry: f
# args: 1.25
# order: 2
# note: tangents of instances, which are instances: of a gradient, in a list, in what may be None, and of a result
from dataclasses import dataclass
from typing import Optional
from gradus import grad, hvp, jvp


@dataclass(frozen=True)
class Tree:
    value: float
    power: int
    left: Optional["Tree"] = None
    right: Optional["Tree"] = None


@dataclass(frozen=True)
class Branch:
    value: float
    others: list["Branch"]


def total(t):
    if t is None:
        return 1.0
    return t.value**t.power * total(t.left) * total(t.right) + t.value


def scaled(t, k):
    if t is None:
        return None
    return Tree(t.value * k, t.power, scaled(t.left, k), scaled(t.right, k))


def product(b):
    p = b.value
    for other in b.others:
        p = p * product(other) + other.value
    return p


def f(x):
    t = Tree(x, 2, Tree(x * x, 1), Tree(0.5, 3, None, Tree(x, 2)))
    g = grad(total)(t)
    _, along = jvp(total, (t,), (g,))
    _, dt = jvp(scaled, (t, x), (None, 1.0))
    h = hvp(total, t, g)
    b = Branch(x, [Branch(0.5, []), Branch(x, [Branch(2.0, [])])])
    _, branch = jvp(product, (b,), (grad(product)(b),))
    return along + dt.left.value + dt.right.right.value + h.value * 1e-3 + branch
