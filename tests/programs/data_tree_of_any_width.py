# entry: f
# args: 0.75, 2.0
# wrt: 0
# note: instances with any number of others of their class
from dataclasses import dataclass
import math


@dataclass(frozen=True)
class Tree:
    value: float
    children: list["Tree"]


def total(t):
    s = t.value * t.value
    for child in t.children:
        s = s + math.sin(t.value) * total(child)
    return s * (1 + len(t.children))


def make(x, depth):
    if depth < 0.5:
        return Tree(x, [])
    return Tree(x * depth, [make(x + i, depth - 1.0) for i in range(int(depth))])


def f(x, depth):
    t = make(x, depth)
    return total(t) + t.children[1].children[0].value * len(t.children) + len(t.children[0].children) * x
