# entry: f
# args: 0.5
# args: 1.5
# order: 2
# note: a binary search tree: insertion, sum, depth
from dataclasses import dataclass
from typing import Optional

@dataclass(frozen=True)
class Tree:
    key: float
    left: Optional["Tree"] = None
    right: Optional["Tree"] = None

def insert(t, key):
    if t is None:
        return Tree(key)
    if key < t.key:
        return Tree(t.key, insert(t.left, key), t.right)
    return Tree(t.key, t.left, insert(t.right, key))

def depth(t):
    if t is None:
        return 0
    return 1 + max(depth(t.left), depth(t.right))

def total(t, w):
    if t is None:
        return 0.0
    return w * t.key * t.key + total(t.left, w * 0.5) + total(t.right, w * t.key)

def f(x):
    t = None
    for i in range(6):
        t = insert(t, x * (i * 5 % 7) + x * x)
    return total(t, x) + depth(t) * x
