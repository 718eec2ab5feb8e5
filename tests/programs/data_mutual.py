# entry: f
# args: 0.5, 3
# wrt: 0
# order: 2
# note: mutually recursive classes and functions: a tree with any number of children
from dataclasses import dataclass
from typing import Optional

@dataclass(frozen=True)
class Node:
    value: float
    children: Optional["Forest"]

@dataclass(frozen=True)
class Forest:
    node: Node
    rest: Optional["Forest"]

def grow(x, n):
    return Node(x, forest(x, n - 1, n) if n > 0 else None)

def forest(x, n, count):
    if count == 0:
        return None
    return Forest(grow(x * count + 0.5, n), forest(x, n, count - 1))

def total(node):
    return node.value * (1.0 + total_forest(node.children))

def total_forest(forest):
    if forest is None:
        return 0.0
    return total(forest.node) + forest.node.value * total_forest(forest.rest)

def f(x, n):
    return total(grow(x, n))
