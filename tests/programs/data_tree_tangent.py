# entry: f
# args: 1.25
# order: 2
# note: tangents of instances, which are instances: of a gradient, in what may be None, and of a result
from dataclasses import dataclass
from typing import Optional
from gradus import grad, jvp


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


def scaled(t, k):
    if t is None:
        return None
    return Tree(t.value * k, t.power, scaled(t.left, k), scaled(t.right, k))


def f(x):
    t = Tree(x, 2, Tree(x * x, 1), Tree(0.5, 3, None, Tree(x, 2)))
    g = grad(total)(t)
    _, along = jvp(total, (t,), (g,))
    _, dt = jvp(scaled, (t, x), (None, 1.0))
    return along + dt.left.value + dt.right.right.value
