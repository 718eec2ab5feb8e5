# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: instances of dataclasses that name themselves in their annotations, and whose fields are assigned
from dataclasses import dataclass
from typing import Optional


@dataclass
class Node:
    val: float
    nxt: Optional["Node"] = None


class Pair:
    def __init__(self, val: float, other=None):
        self.val = val
        self.other: Optional["Pair"] = other


@dataclass
class Tree:
    v: float
    left: Optional["Tree"] = None
    right: Optional["Tree"] = None


def insert(t, v):
    if v < t.v:
        if t.left is None:
            t.left = Tree(v)
        else:
            insert(t.left, v)
    elif t.right is None:
        t.right = Tree(v)
    else:
        insert(t.right, v)


def total(t, depth):
    if t is None:
        return 0.0
    return depth * t.v + total(t.left, depth + 1) + total(t.right, depth + 1)


def f(x):
    head = None
    for i in range(4):
        node = Node(x * i)
        node.nxt = head
        head = node
    s = 0.0
    while head is not None:
        s = s * x + head.val
        head = head.nxt
    a = Pair(x)
    b = Pair(2.0 * x, a)
    b.other.val += x * x
    root = Tree(x)
    for v in [x + 1.0, x - 1.0, x + 0.5, x - 2.0]:
        insert(root, v)
    return s + a.val * b.val + total(root, 1)
