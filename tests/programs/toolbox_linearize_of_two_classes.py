# entry: f
# args: 1.5
# args: -0.75
# order: 2
# closed: [136*x**7/256]
# closed second: 952*x**6/256
# note: the tangent map at a tree of two classes that a recursive function makes; and one that is handed on
from dataclasses import dataclass
from typing import Union
from gradus import linearize


@dataclass(frozen=True)
class Leaf:
    value: float


@dataclass(frozen=True)
class Node:
    left: Union["Node", Leaf]
    right: Union["Node", Leaf]


def product(t):
    if isinstance(t, Leaf):
        return t.value * t.value
    return product(t.left) * product(t.right)


def build(n, x):
    if n == 0:
        return Leaf(x)
    return Node(build(n - 1, x), build(n - 1, x * 0.5))


def apply(g, t):
    return g(t)


# Homogeneous of degree 8: the tangent at the tree itself is eight times the value.
def f(x):
    tree = build(2, x)
    y, tangent = linearize(product, tree)
    return y + tangent(tree) + apply(tangent, build(2, x))
