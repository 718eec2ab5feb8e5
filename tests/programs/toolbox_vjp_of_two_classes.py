# entry: f
# args: 1.5
# args: -0.75
# order: 2
# closed: [3*x**11]
# closed second: 33*x**10
# note: a function of a tree is called with the cotangent of one, whose instances are of another grade: the union of both is one of four kinds
from dataclasses import dataclass
from typing import Union
from gradus import vjp


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


def f(x):
    tree = build(1, x)
    y, back = vjp(product, tree)
    (cotangent,) = back(1.0)
    return product(cotangent)
